import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct KeyTests {
    @Test(
        "A repeated key is reported at both positions",
        arguments: [
            "1️⃣a2️⃣: 1\nb: 2\n3️⃣a4️⃣: 3\n", "{1️⃣a2️⃣: 1, 3️⃣\"a\"4️⃣: 2}", "- 1️⃣'é'2️⃣: 1\n  3️⃣é4️⃣: 2\n",
            "x:\n  1️⃣a2️⃣:\n    a: 1\n  3️⃣a4️⃣:\n",
            "1️⃣k2️⃣: a\n!!str 3️⃣k4️⃣: b",
        ])
    func repeatedKeyIsReportedAtBothPositions(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.map(\.rule) == [.duplicateKey])
        #expect(document.errors.first?.range == text[3, 4])
        #expect(document.errors.first?.related?.range == text[1, 2])
        #expect(document.root != nil)
    }

    @Test("Every repetition is reported with the position of the first")
    func everyRepetitionIsReportedWithThePositionOfTheFirst() {
        let document = parse("a: 1\na: 2\nb: 1\na: 3\nb: 2\n")
        #expect(document.errors.map(\.range.start.line) == [2, 4, 5])
        #expect(document.errors.map { $0.related?.range.start.line } == [1, 1, 3])
        #expect(document.root?.outline == "{a: 1 a: 2 b: 1 a: 3 b: 2}")
    }

    @Test("A repetition among many keys is found") func repetitionAmongManyKeysIsFound() {
        let text = (0..<300).map { "key\($0): 1\n" }.joined() + "key7: 2\nkey299: 2\n"
        let document = parse(text)
        #expect(document.errors.map(\.range.start.line) == [301, 302])
        #expect(document.errors.map { $0.related?.range.start.line } == [8, 300])
    }

    @Test("Equal keys in different mappings are accepted")
    func equalKeysInDifferentMappingsAreAccepted() {
        #expect(parse("a: {a: 1}\nb: {a: 1}\nc: [{a: 1}, {a: 2}]").errors == [])
    }

    @Test("Keys that differ in case are different keys") func keysThatDifferInCaseAreDifferentKeys()
    {
        #expect(parse("a: 1\nA: 2").errors == [])
    }

    @Test("A merge key is refused and left out") func mergeKeyIsRefusedAndLeftOut() {
        let text = MarkedText("1️⃣<<2️⃣: {a: 1}\nb: 2\n'<<': 3\n")
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.map(\.rule) == [.mergeKey])
        #expect(document.errors.first?.range == text[1, 2])
        #expect(document.root?.outline == "{b: 2 '<<': 3}")
    }

    @Test(
        "A key that is not text is refused, and reading continues",
        arguments: [
            "1️⃣[a, b]2️⃣: c", "? 1️⃣{a: b}2️⃣\n: c", "? 1️⃣- a\n  - b2️⃣\n: c", "x: &x {a: 1}\n1️⃣*x2️⃣ : c",
        ])
    func keyThatIsNotTextIsRefusedAndReadingContinues(marked: String) {
        let text = MarkedText(marked + "\nlast: 1\nlast: 2")
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors.map(\.rule) == [.complexKey, .duplicateKey])
        #expect(document.errors.first?.range == text[1, 2])
        #expect(document.root?.isPlaceholder == true)
    }

    @Test(
        "A variable without quotes produces one error that explains it",
        arguments: [
            "message: 1️⃣{{name}2️⃣}\nkind: rich\n", "message: 1️⃣{{name}2️⃣} hello\nkind: rich\n",
            "message: 1️⃣{{name|there}2️⃣}, hello\nkind: rich\n", "message: [1️⃣{{name}2️⃣}, b]\n",
            "1️⃣{{name}2️⃣} hello",
        ])
    func variableWithoutQuotesProducesOneErrorThatExplainsIt(marked: String) throws {
        let text = MarkedText(marked)
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.count == 1)
        let problem = try #require(errors.first)
        #expect(problem.message.contains("{{"))
        #expect(problem.help?.contains("quotes") == true)
        #expect(problem.range == text[1, 2])
    }
}
