import TestSupport
import Testing

@testable import CampaignFormat

/// One fault of syntax does not hide the others.
@Suite(.bounded) struct SectionRecoveryTests {
    @Test func theKeysAtTheTopAreReadAlone() {
        let document = parse("a: [1\nb: {c: 1, c: 2}\nd: \"x\ne: 1\n")
        #expect(document.root == nil)
        #expect(document.faults.map(\.rule) == [.syntax, .duplicateKey, .syntax])
        #expect(document.faults.map(\.range.start.line) == [1, 2, 3])
        #expect(document.remains?.outline == "{a: ∅ b: {c: 1 c: 2} d: ∅ e: 1}")
        #expect(document.remains?.isPlaceholder == true)
        #expect(document.remains?["a"]?.isPlaceholder == true)
        #expect(document.remains?["b"]?.isPlaceholder == false)
    }

    @Test func whatWasReadBeforeIsNotComplainedOfAgain() {
        let document = parse("a: 1\na: 2\nb: &x {c: 1}\nd: @\ne: *x\n")
        #expect(document.faults.map(\.rule) == [.duplicateKey, .syntax])
        #expect(document.remains?["e"]?.isPlaceholder == true)
    }

    @Test(arguments: ["", "\u{FEFF}", "# é\n", "\r\n"])
    func placesStayWhatTheyAre(head: String) {
        let text = MarkedText(head + "a: [é\r\nb:\n  é: é\n  c: 1️⃣@2️⃣\nlast: é\n")
        let document = YAMLParser.parse(text.bytes)
        #expect(document.faults.last?.range == text[1, 2])
        #expect(Invariants(document).firstViolation() == nil)
    }

    @Test(arguments: ["- [a\n- b\n", "a: [b\n", "{\"a\": 1\n\"b\": 2}\n", "a = [b\nc = @\n"])
    func aFileWithoutKeysAtTheTopHasNoRemains(text: String) {
        #expect(parse(text).remains == nil)
    }

    @Test func anyOtherEndOfTheReadingIsTheOnlyOne() {
        let document = parse("a: 1\n---\nb: [\nc: 1\n")
        #expect(document.faults.map(\.rule) == [.multipleDocuments])
        #expect(document.remains == nil)
    }

    @Test func manyKeysAreNotReadAgain() {
        let text = (0..<65).map { "key\($0): 1\n" }.joined() + "last: [\n"
        #expect(parse(text).faults.map(\.rule) == [.syntax])
        #expect(parse(text).remains == nil)
    }
}
