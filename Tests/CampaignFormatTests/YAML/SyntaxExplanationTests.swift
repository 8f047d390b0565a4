import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that the most common mistakes are reported where they were made (mark 1).
@Suite(.bounded) struct SyntaxExplanationTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let text: String
        let says: String
        let advises: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, says: String, advises: String) {
            self.text = text
            self.says = says
            self.advises = advises
        }
    }

    @Test(
        "Mistakes with colons are explained",
        arguments: [
            Mistake("campaign1️⃣:spring\nkind: rich\n", says: "no space", advises: "key: value"),
            Mistake("kind: rich\ncampaign1️⃣:spring\n", says: "no space", advises: "key: value"),
            Mistake("a: 1\nkind1️⃣:rich\nb: [c]\n", says: "no space", advises: "key: value"),
            Mistake("url1️⃣:https://x.org\nkind: a\n", says: "no space", advises: "key: value"),
            Mistake("a:\n  - b\n  1️⃣-c\n  - d\n", says: "dash", advises: "after the dash"),
            Mistake("message: Hello1️⃣: world\n", says: "colon", advises: "in quotes"),
            Mistake("a: x\n  1️⃣b: y\n", says: "indented below", advises: "same column"),
            Mistake("1️⃣rate 500/s\nk: v\n", says: "neither a key", advises: "key: value"),
            Mistake("kind: rich\n1️⃣foo\nbar: x\n", says: "neither a key", advises: "key: value"),
        ])
    func mistakesWithColonsAreExplained(mistake: Mistake) throws { try check(mistake) }

    @Test(
        "Mistakes with indentation are explained",
        arguments: [
            Mistake("a:\n1️⃣\tb: c\n", says: "tab", advises: "spaces"),
            Mistake("a: x\n1️⃣\t\tb: c\n", says: "tab", advises: "spaces"),
            Mistake("a: |\n1️⃣\tb\n", says: "tab", advises: "spaces"),
            Mistake("- a\n1️⃣b: c\n", says: "does not fit the list", advises: "- "),
            Mistake("a:\n  b: 1\n 1️⃣c: 2\n", says: "does not fit the keys", advises: "same column"),
            Mistake("  a: 1\n 1️⃣b: 2\n", says: "does not belong", advises: "indentation"),
            Mistake("a: 1️⃣- b\n", says: "list item", advises: "separate line"),
            Mistake("a: 1️⃣? b\n", says: "?", advises: "in quotes"),
        ])
    func mistakesWithIndentationAreExplained(mistake: Mistake) throws { try check(mistake) }

    @Test(
        "Mistakes with quotes are explained",
        arguments: [
            Mistake("m: 1️⃣\"Hi\nkind: rich\n", says: "never closed", advises: "\" at the end"),
            Mistake("a: b\nm: 1️⃣'Hi\n", says: "never closed", advises: "' at the end"),
            Mistake("m: 1️⃣\"Hi\n---\n", says: "never closed", advises: "\""),
            Mistake("m: 'It'1️⃣s here'\n", says: "closing quote", advises: "''"),
            Mistake("m: \"a \"1️⃣b\" c\"\n", says: "closing quote", advises: "\\\""),
            Mistake("m: \"C:1️⃣\\path\"\n", says: "backslash", advises: "\\\\"),
            Mistake("m: \"1️⃣\\xZZ\"\n", says: "hexadecimal", advises: "digits"),
            Mistake("m: \"1️⃣\\U00110000\"\n", says: "Unicode", advises: "itself"),
            Mistake("m: \"1️⃣\\uD800\"\n", says: "half of a pair", advises: "itself"),
            Mistake("m: \"1️⃣\\ude00\\ud83d\"\n", says: "half of a pair", advises: "itself"),
            Mistake("m: | 1️⃣text\n", says: "next line", advises: "new line"),
            Mistake("m: > 1️⃣5 people\n", says: "next line", advises: "quotes"),
            Mistake("m: |1️⃣0\n  x\n", says: "digit", advises: "Remove"),
        ])
    func mistakesWithQuotesAreExplained(mistake: Mistake) throws { try check(mistake) }

    @Test(
        "Mistakes with brackets are explained",
        arguments: [
            Mistake("p: 1️⃣[apns, fcm\nkind: rich\n", says: "not closed", advises: "]"),
            Mistake("p: 1️⃣[apns, fcm\n", says: "not closed", advises: "]"),
            Mistake("r: 1️⃣{a: 1, b: 2\nk: v\n", says: "not closed", advises: "}"),
            Mistake("p: [\"a\" 1️⃣\"b\"]\n", says: "comma", advises: "commas"),
            Mistake("p: [a,1️⃣,b]\n", says: "value is missing", advises: "value"),
            Mistake("p: [a]1️⃣]\n", says: "closing ]", advises: "in quotes"),
            Mistake("m: {name} 1️⃣hello\n", says: "closing }", advises: "in quotes"),
            Mistake("m: [50% off] 1️⃣today\n", says: "closing ]", advises: "in quotes"),
        ])
    func mistakesWithBracketsAreExplained(mistake: Mistake) throws { try check(mistake) }

    @Test("Text that starts with a reserved character is explained", arguments: ["@", "`", "%"])
    func textThatStartsWithAReservedCharacterIsExplained(character: String) throws {
        try check(
            Mistake(
                "m: 1️⃣\(character)x\n", says: "start with \(character)",
                advises: "\"\(character)…\""))
    }

    @Test(
        "Text that starts like an alias or anchor is explained",
        arguments: ["* x", "*bold* x", "& x", "&a&b x"])
    func textThatStartsLikeAnAliasOrAnchorIsExplained(text: String) throws {
        try check(Mistake("m: 1️⃣\(text)\n", says: "must be in quotes", advises: "in quotes"))
    }

    @Test("An undeclared tag handle is reported as a tag")
    func undeclaredTagHandleIsReportedAsATag() {
        let text = MarkedText("m: 1️⃣!e!x y\n")
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.map(\.rule) == [.unsupportedTag])
        #expect(errors.first?.range.start == text[1])
    }

    @Test("A list that is not closed is reported with both positions")
    func listThatIsNotClosedIsReportedWithBothPositions() throws {
        let text = MarkedText("p: 1️⃣[a, b\nk2️⃣: v\n")
        let problem = try #require(YAMLParser.parse(text.bytes).errors.first)
        #expect(problem.range.start == text[1])
        #expect(problem.related?.range.start == text[2])
    }

    @Test("A quotation mark that swallowed lines is reported with its start")
    func quotationMarkThatSwallowedLinesIsReportedWithItsStart() throws {
        let text = MarkedText("m: 1️⃣\"Hi there\nkind: \"2️⃣rich\"\n")
        let problem = try #require(YAMLParser.parse(text.bytes).errors.first)
        #expect(problem.range.start == text[2])
        #expect(problem.related?.range.start == text[1])
    }

    @Test("Errors before a syntax error are also reported")
    func errorsBeforeASyntaxErrorAreAlsoReported() {
        let document = parse("a: 1\na: 2\nb: [\n")
        #expect(document.root == nil)
        #expect(document.errors.map(\.rule) == [.duplicateKey, .syntax])
    }

    private func check(_ mistake: Mistake) throws {
        let text = MarkedText(mistake.text)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.root == nil)
        #expect(document.errors.count == 1)
        let problem = try #require(document.errors.first)
        #expect(problem.rule == .syntax)
        #expect(problem.range.start == text[1])
        #expect(problem.message.contains(mistake.says), "\(problem.message)")
        #expect(problem.message.hasSuffix("."))
        #expect(problem.help?.contains(mistake.advises) == true, "\(problem.help ?? "no help")")
    }
}
