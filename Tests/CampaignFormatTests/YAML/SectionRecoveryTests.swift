import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that a syntax error does not hide other errors.
@Suite(.bounded) struct SectionRecoveryTests {
    @Test("After a syntax error, top-level keys are read one by one")
    func afterASyntaxErrorTopLevelKeysAreReadOneByOne() {
        let document = parse("a: [1\nb: {c: 1, c: 2}\nd: \"x\ne: 1\n")
        #expect(document.root == nil)
        #expect(document.errors.map(\.rule) == [.syntax, .duplicateKey, .syntax])
        #expect(document.errors.map(\.range.start.line) == [1, 2, 3])
        #expect(document.remains?.outline == "{a: ∅ b: {c: 1 c: 2} d: ∅ e: 1}")
        #expect(document.remains?.isPlaceholder == true)
        #expect(document.remains?["a"]?.isPlaceholder == true)
        #expect(document.remains?["b"]?.isPlaceholder == false)
    }

    @Test("Errors before the syntax error are not reported again")
    func errorsBeforeTheSyntaxErrorAreNotReportedAgain() {
        let document = parse("a: 1\na: 2\nb: &x {c: 1}\nd: @\ne: *x\n")
        #expect(document.errors.map(\.rule) == [.duplicateKey, .syntax])
        #expect(document.remains?["e"]?.isPlaceholder == true)
    }

    @Test("Recovered parts keep their positions", arguments: ["", "\u{FEFF}", "# é\n", "\r\n"])
    func recoveredPartsKeepTheirPositions(head: String) {
        let text = MarkedText(head + "a: [é\r\nb:\n  é: é\n  c: 1️⃣@2️⃣\nlast: é\n")
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.last?.range == text[1, 2])
        #expect(Invariants(document).firstViolation() == nil)
    }

    @Test(
        "A file without top-level keys is not read key by key",
        arguments: ["- [a\n- b\n", "a: [b\n", "{\"a\": 1\n\"b\": 2}\n", "a = [b\nc = @\n"])
    func fileWithoutTopLevelKeysIsNotReadKeyByKey(text: String) {
        #expect(parse(text).remains == nil)
    }

    @Test("Keys are read one by one only after a syntax error")
    func keysAreReadOneByOneOnlyAfterASyntaxError() {
        let document = parse("a: 1\n---\nb: [\nc: 1\n")
        #expect(document.errors.map(\.rule) == [.multipleDocuments])
        #expect(document.remains == nil)
    }

    @Test("A file with very many keys is not read again")
    func fileWithVeryManyKeysIsNotReadAgain() {
        let text = (0..<65).map { "key\($0): 1\n" }.joined() + "last: [\n"
        #expect(parse(text).errors.map(\.rule) == [.syntax])
        #expect(parse(text).remains == nil)
    }
}
