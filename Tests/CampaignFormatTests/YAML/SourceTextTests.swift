import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct SourceTextTests {
    private func source(_ text: String) -> SourceText { SourceText(Array(text.utf8)) }

    @Test("A line is found by its number", arguments: ["\n", "\r\n", "\r"])
    func lineIsFoundByItsNumber(lineBreak: String) {
        let source = source(["one", "", "drei é", "four"].joined(separator: lineBreak))
        #expect((0...5).map { source.line($0) } == [nil, "one", "", "drei é", "four", nil])
    }

    @Test("The line after the last line break is empty") func lineAfterTheLastLineBreakIsEmpty() {
        #expect(source("a\n").line(2) == "")
        #expect(source("a\n").line(3) == nil)
        #expect(source("").line(1) == "")
        #expect(source("").line(2) == nil)
    }

    @Test("A byte order mark is not shown") func byteOrderMarkIsNotShown() {
        #expect(source("\u{FEFF}a: b\nc").line(1) == "a: b")
    }

    @Test("Every line of a long file is found") func everyLineOfALongFileIsFound() {
        let lines = (1...3000).map { String(repeating: "é", count: $0 % 7) + "\($0)" }
        let source = source(lines.joined(separator: "\n"))
        for number in 1...3000 { #expect(source.line(number) == lines[number - 1]) }
    }

    @Test("A line is cut to a number of characters") func lineIsCutToANumberOfCharacters() {
        let source = source("é😀abcdef\nnext")
        #expect(source.line(1, maximumLength: 3) == "é😀a")
        #expect(source.line(1, maximumLength: 8) == "é😀abcdef")
    }

    @Test("Every byte's position matches a simple count")
    func everyBytesPositionMatchesASimpleCount() {
        let line = "é😀\tx\r\ny\rz\n"
        let text = String(repeating: line, count: 60)
        let source = source(text)
        var (number, column, offset) = (1, 1, 0)
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            #expect(
                source.position(atByte: offset)
                    == SourcePosition(line: number, column: column, offset: offset))
            offset += String(scalar).utf8.count
            let isCRLF = scalar == "\r" && scalars[index + 1] == "\n"
            if scalar == "\n" || (scalar == "\r" && !isCRLF) {
                (number, column) = (number + 1, 1)
            } else {
                column += 1
            }
        }
        #expect(source.position(atByte: .max).offset == offset)
    }

    @Test("A short line is shown whole") func shortLineIsShownWhole() {
        let text = MarkedText("a: b\n  key: 1️⃣value # x\nc: d")
        let excerpt = SourceText(text.bytes).excerpt(around: text[1])
        #expect(excerpt.text == "  key: value # x")
        #expect(excerpt.startColumn == 1)
        #expect(!excerpt.isCutAtEnd)
    }

    @Test("A long line is shown only around the position")
    func longLineIsShownOnlyAroundThePosition() {
        let filler = String(repeating: "é", count: 5000)
        let text = MarkedText("x\n\(filler)1️⃣here\(filler)\ny")
        let excerpt = SourceText(text.bytes).excerpt(around: text[1], maximumLength: 20)
        #expect(excerpt.text == "ééééééééééhereéééééé")
        #expect(excerpt.startColumn == text[1].column - 10)
        #expect(excerpt.isCutAtEnd)
    }

    @Test("The excerpt of a long line always contains the position")
    func excerptOfALongLineAlwaysContainsThePosition() {
        let source = source(String(repeating: "abcdefghij", count: 40) + "\n")
        for offset in 0...400 {
            let place = source.position(atByte: offset)
            let excerpt = source.excerpt(around: place, maximumLength: 16)
            #expect(excerpt.text.count <= 16)
            #expect(excerpt.startColumn <= place.column)
            #expect(place.column <= excerpt.startColumn + excerpt.text.count)
        }
    }

    @Test("Bytes that are not valid text can be shown") func bytesThatAreNotValidTextCanBeShown() {
        let source = SourceText([0x61, 0xFF, 0x62, 0x0A, 0x80, 0x80])
        #expect(source.line(1) == "a\u{FFFD}b")
        #expect(source.line(2) == "\u{FFFD}\u{FFFD}")
    }
}
