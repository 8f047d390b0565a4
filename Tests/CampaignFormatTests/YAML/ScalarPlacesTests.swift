import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ScalarPlacesTests {
    /// The marks surround `{{name}}` in the value of `v`, in every style.
    @Test(
        "A part of a text is mapped to its position in the source",
        arguments: [
            "v: Hi 1️⃣{{name}}2️⃣!", "v: 'It''s 1️⃣{{name}}2️⃣'", "v: \"1️⃣{{name}}2️⃣\"",
            "v: \"a\\\"\\n\\x41\\u00e9\\U0001F600\\ \\t\\_é 1️⃣{{name}}2️⃣\\n\"",
            "v: \"a\\\n   b\n\n  1️⃣{{name}}2️⃣\"", "v: \"\\x20\\u000A\\L 1️⃣{{name}}2️⃣\"",
            "v: |\n  Hi é\n    1️⃣{{name}}2️⃣\n  x\n", "v: >- # note\n  Hi\n\n  1️⃣{{name}}2️⃣\n",
            "v: |2-\n    1️⃣{{name}}2️⃣", "v: words\n  and 1️⃣{{name}}2️⃣\n  more",
            "v: \"\\ud83d\\ude00\\ud83d\\ude01 1️⃣{{name}}2️⃣\\ud83d\\ude00\"",
            "v: !!str &a\n  '1️⃣{{name}}2️⃣'", "v: \"a\r\n  1️⃣{{name}}2️⃣\"",
        ])
    func partOfATextIsMappedToItsPositionInTheSource(marked: String) throws {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        let node = try #require(document.root?["v"])
        let value = try #require(node.scalar?.text)
        let part = try #require(value.firstRange(of: "{{name}}"))
        let lower = value.utf8.distance(from: value.startIndex, to: part.lowerBound)
        let upper = value.utf8.distance(from: value.startIndex, to: part.upperBound)
        let places = ScalarPlaces(of: node, in: document.source)
        #expect(places.range(ofText: lower..<upper) == text[1, 2])
    }

    @Test("Part of an aliased scalar is mapped to the alias")
    func partOfAnAliasedScalarIsMappedToTheAlias() throws {
        let text = MarkedText("a: &x Hi {{name}}\nv: 1️⃣*x2️⃣\n")
        let document = YAMLParser.parse(text.bytes)
        let node = try #require(document.root?["v"])
        let places = ScalarPlaces(of: node, in: document.source)
        #expect(places.range(ofText: 3..<11) == text[1, 2])
    }

    @Test(
        "An empty part is mapped to the whole text",
        arguments: [0..<0, 2..<3, 90..<99])
    func emptyPartIsMappedToTheWholeText(part: Range<Int>) throws {
        let text = MarkedText("v: 1️⃣\"Hi you\"2️⃣")
        let document = YAMLParser.parse(text.bytes)
        let node = try #require(document.root?["v"])
        #expect(ScalarPlaces(of: node, in: document.source).range(ofText: part) == text[1, 2])
    }
}
