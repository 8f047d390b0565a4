import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct AliasTests {
    @Test func anAliasStandsForTheLastAnchorOfItsNameAboveIt() {
        let document = parse("- &a 1\n- *a\n- &a 2\n- *a\n- &a [&a 3, *a]\n- *a\n")
        #expect(document.faults == [])
        #expect(document.root?.outline == "[1 1 2 2 [3 3] 3]")
    }

    @Test(arguments: ["a: 1️⃣*x2️⃣", "a: 1️⃣*x2️⃣\nb: &x 1", "- &y 1\n- [1️⃣*x2️⃣]"])
    func anAliasWithoutAnchorAboveItIsRefused(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.faults.map(\.rule) == [.unknownAlias])
        #expect(document.faults.first?.range == text[1, 2])
        #expect(document.root != nil)
    }

    @Test(arguments: [
        "a: &x [1️⃣*x2️⃣]", "&x\na: 1\nb:\n  - c: 1️⃣*x2️⃣", "a: &x {b: &y [1️⃣*x2️⃣]}",
    ])
    func anAliasInsideItsOwnValueIsRefused(marked: String) {
        let text = MarkedText(marked)
        let faults = YAMLParser.parse(text.bytes).faults
        #expect(faults.map(\.rule) == [.recursiveAlias])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test func whatCouldNotBeReadIsAPlaceholder() throws {
        let root = try #require(parse("a: *x\nb: 1\n").root)
        #expect(root["a"]?.isPlaceholder == true)
        #expect(root["b"]?.isPlaceholder == false)
    }

    @Test func theMessageDoesNotRepeatTheText() throws {
        let fault = try #require(parse("- *alice").faults.first)
        #expect(!"\(fault) \(fault.help ?? "")".contains("alice"))
    }
}
