import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct EncodingTests {
    @Test(
        "Bytes that are not UTF-8 are refused at the first such byte",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xC1, 0xBF], [0x80], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xE2, 0x82],
            [0xE4, 0x6E], [0xFE],
        ] as [[UInt8]])
    func bytesThatAreNotUTF8AreRefusedAtTheFirstSuchByte(bad: [UInt8]) throws {
        let document = YAMLParser.parse(Array("a: é\nbé: ".utf8) + bad)
        #expect(document.root == nil)
        let problem = try #require(document.errors.first)
        #expect(document.errors.count == 1)
        #expect(problem.rule == .encoding)
        #expect(problem.range.start == SourcePosition(line: 2, column: 5, offset: 11))
        #expect(problem.help?.contains("UTF-8") == true)
    }

    @Test(
        "The error about UTF-16 names the encoding",
        arguments: [
            [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0x00, 0x3A, 0x00],
            [0x00, 0x61, 0x00, 0x3A], [0xFF, 0xFE, 0x00, 0x00],
        ] as [[UInt8]])
    func errorAboutUTF16NamesTheEncoding(bytes: [UInt8]) throws {
        let problem = try #require(YAMLParser.parse(bytes).errors.first)
        #expect(problem.rule == .encoding)
        #expect(problem.message.contains("UTF-16"))
        #expect(problem.range.start == .start)
    }

    @Test(
        "Characters that programs interpret differently are refused",
        arguments: [
            "\0", "\u{1}", "\u{7}", "\u{1B}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}", "\u{2028}",
            "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}",
        ])
    func charactersThatProgramsInterpretDifferentlyAreRefused(character: String) throws {
        let text = MarkedText("a: b\n\"é\": 'x1️⃣\(character)2️⃣y'\n")
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.map(\.rule) == [.invalidCharacter])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("Characters that YAML allows are accepted") func charactersThatYAMLAllowsAreAccepted() {
        let text = "a: \"\u{A0}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}\t~\"\n"
        #expect(parse(text).errors == [])
    }

    @Test("A byte order mark is not part of the text") func byteOrderMarkIsNotPartOfTheText() throws
    {
        let root = try #require(parse("\u{FEFF}a: b").root)
        #expect(root.outline == "{a: b}")
        #expect(root.range.start == SourcePosition(line: 1, column: 1, offset: 3))
    }

    @Test("Binary data is refused") func binaryDataIsRefused() {
        let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]
        #expect(YAMLParser.parse(image).errors.map(\.rule) == [.encoding])
    }
}
