import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct AliasTests {
    @Test("An alias refers to the nearest anchor of that name above it")
    func aliasRefersToTheNearestAnchorOfThatNameAboveIt() {
        let document = parse("- &a 1\n- *a\n- &a 2\n- *a\n- &a [&a 3, *a]\n- *a\n")
        #expect(document.errors == [])
        #expect(document.root?.outline == "[1 1 2 2 [3 3] 3]")
    }

    @Test(
        "An alias without an anchor above it is refused",
        arguments: ["a: 1️⃣*x2️⃣", "a: 1️⃣*x2️⃣\nb: &x 1", "- &y 1\n- [1️⃣*x2️⃣]"])
    func aliasWithoutAnAnchorAboveItIsRefused(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.map(\.rule) == [.unknownAlias])
        #expect(document.errors.first?.range == text[1, 2])
        #expect(document.root != nil)
    }

    @Test(
        "An alias inside its own value is refused",
        arguments: [
            "a: &x [1️⃣*x2️⃣]", "&x\na: 1\nb:\n  - c: 1️⃣*x2️⃣", "a: &x {b: &y [1️⃣*x2️⃣]}",
        ])
    func aliasInsideItsOwnValueIsRefused(marked: String) {
        let text = MarkedText(marked)
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.map(\.rule) == [.recursiveAlias])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("Unreadable parts are replaced by placeholders")
    func unreadablePartsAreReplacedByPlaceholders() throws {
        let root = try #require(parse("a: *x\nb: 1\n").root)
        #expect(root["a"]?.isPlaceholder == true)
        #expect(root["b"]?.isPlaceholder == false)
    }

    @Test("The message about an alias does not repeat its text")
    func messageAboutAnAliasDoesNotRepeatItsText() throws {
        let problem = try #require(parse("- *alice").errors.first)
        #expect(!"\(problem) \(problem.help ?? "")".contains("alice"))
    }
}
