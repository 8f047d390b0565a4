import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct TagTests {
    @Test(
        "Unknown tags are refused, and reading continues",
        arguments: [
            "a: 1️⃣!foo2️⃣ x", "a: 1️⃣!!binary2️⃣ x", "a: 1️⃣!2️⃣ x", "a: &b 1️⃣!foo2️⃣ [x]",
            "a: 1️⃣!<x:y>2️⃣ {b: c}", "[1️⃣!foo2️⃣, x]", "a: 1️⃣!!set2️⃣ {b}",
        ])
    func unknownTagsAreRefusedAndReadingContinues(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.map(\.rule) == [.unsupportedTag])
        #expect(document.errors.first?.range == text[1, 2])
        #expect(document.root != nil)
    }

    @Test(
        "A tag that does not match its value is refused",
        arguments: ["1️⃣!!seq2️⃣ x", "1️⃣!!map2️⃣ [x]", "1️⃣!!str2️⃣ {a: b}", "1️⃣!!int2️⃣ [x]"])
    func tagThatDoesNotMatchItsValueIsRefused(marked: String) {
        let text = MarkedText("a: " + marked)
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.map(\.rule) == [.unsupportedTag])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("The tags of the core schema are accepted", arguments: YAMLTag.allCases)
    func tagsOfTheCoreSchemaAreAccepted(tag: YAMLTag) {
        let value = tag == .mapping ? "{}" : tag == .sequence ? "[]" : "x"
        let document = parse("a: \(tag.rawValue) \(value)")
        #expect(document.errors == [])
        #expect(document.root?["a"]?.tag == tag.rawValue)
    }
}
