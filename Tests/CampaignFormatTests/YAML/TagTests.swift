import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct TagTests {
    @Test(arguments: [
        "a: 1️⃣!foo2️⃣ x", "a: 1️⃣!!binary2️⃣ x", "a: 1️⃣!2️⃣ x", "a: &b 1️⃣!foo2️⃣ [x]",
        "a: 1️⃣!<x:y>2️⃣ {b: c}", "[1️⃣!foo2️⃣, x]", "a: 1️⃣!!set2️⃣ {b}",
    ])
    func otherTagsAreRefusedAndReadingGoesOn(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.faults.map(\.rule) == [.unsupportedTag])
        #expect(document.faults.first?.range == text[1, 2])
        #expect(document.root != nil)
    }

    @Test(arguments: ["1️⃣!!seq2️⃣ x", "1️⃣!!map2️⃣ [x]", "1️⃣!!str2️⃣ {a: b}", "1️⃣!!int2️⃣ [x]"])
    func aTagThatDoesNotFitItsValueIsRefused(marked: String) {
        let text = MarkedText("a: " + marked)
        let faults = YAMLParser.parse(text.bytes).faults
        #expect(faults.map(\.rule) == [.unsupportedTag])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test(arguments: YAMLTag.allCases)
    func theTagsOfTheCoreSchemaAreKept(tag: YAMLTag) {
        let value = tag == .mapping ? "{}" : tag == .sequence ? "[]" : "x"
        let document = parse("a: \(tag.rawValue) \(value)")
        #expect(document.faults == [])
        #expect(document.root?["a"]?.tag == tag.rawValue)
    }
}
