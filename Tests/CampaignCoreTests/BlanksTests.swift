import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct BlanksTests {
    @Test(
        "Blanks and invisible characters are trimmed from both ends",
        arguments: [
            ("", ""), ("a", "a"), (" \t a b \n", "a b"), ("\u{A0}Ann\u{202F}", "Ann"),
            ("\u{FEFF}\u{200B}Özgür\u{200F}\u{3000}", "Özgür"), ("\u{200B}\u{A0} ", ""),
            ("a\u{200B}b", "a\u{200B}b"), ("❤️", "❤️"), ("👩‍🚀", "👩‍🚀"), ("José", "José"),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F} ", "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}"),
        ])
    func blanksAndInvisibleCharactersAreTrimmedFromBothEnds(_ text: String, _ expected: String) {
        #expect(Array(Blanks.trimmed(text).unicodeScalars) == Array(expected.unicodeScalars))
        let bytes = Array("x\(text)y".utf8)
        let range = Blanks.trimmed(1..<(bytes.count - 1), of: bytes)
        #expect(Array(bytes[range]) == Array(expected.utf8))
    }

    @Test(
        "Blanks inside a column name become single spaces",
        arguments: [
            ("First Name", "First Name"), (" First\u{A0} Name\u{200B}", "First Name"),
            ("First\nName", "First Name"), ("\u{A0}", ""),
        ])
    func blanksInsideAColumnNameBecomeSingleSpaces(_ name: String, _ expected: String) {
        #expect(Blanks.column(name) == expected)
    }

    @Test(
        "A line of only separators, quotes and blanks is empty",
        arguments: [
            ("", true), (";;;", true), ("\"\",\"\u{A0}\"", true), ("\t \u{200B}\t", true),
            (",,a", false), ("é", false), ("|", false),
        ])
    func lineOfOnlySeparatorsQuotesAndBlanksIsEmpty(_ line: String, _ isEmpty: Bool) {
        #expect(Blanks.fill(Array(line.utf8)[...]) == isEmpty)
    }
}
