import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct MissingValueWordTests {
    @Test(
        "Words of spreadsheets, databases and programs are known",
        arguments: [
            "#NAME?", "#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!",
            "#BEZUG!", "#NV", "#WERT!", "#ÜBERLAUF!", "#¿NOMBRE?", "#¡REF!", "#VALEUR!", "#NOM?",
            "Err:502", "#N/V", "#¡VALOR!", "#Н/Д", "#YOK",
        ])
    func errorsOfSpreadsheets(_ word: String) {
        #expect(MissingValueWord(word) == .spreadsheetError)
    }

    @Test(arguments: [
        "NULL", "null", "\\N", "None", "nil", "<nil>", "nan", "NaN", "n/a", "N/A", "-", "--", "–",
        "undefined", "(null)", "<null>", "[NULL]", "[object Object]", "none", "NONE", "Null", "?",
        "Invalid date", "Invalid Date", "<none>", "(not set)",
    ])
    func wordsForNothing(_ word: String) {
        #expect(MissingValueWord(word) == .nothing)
    }

    @Test(arguments: ["1.23E+11", "2,19E+26", "4.91701e+11", "1E+05", "-1.5E-03", "1.23E11"])
    func roundedNumbers(_ word: String) {
        #expect(MissingValueWord(word) == .rounded)
    }

    @Test(arguments: ["###", "########"])
    func cellsThatWereTooNarrow(_ word: String) {
        #expect(MissingValueWord(word) == .tooNarrow)
    }

    @Test(arguments: [
        "{{first_name}}", "{{ contact.first_name | default: \"friend\" }}", "*|FNAME|*",
        "%FIRSTNAME%", "%%FirstName%%", "[[name]]", "${name}", "<<Name>>", "{first_name}",
        "<%= name %>", "#{name}",
    ])
    func mergeFieldsThatWereNotFilledIn(_ word: String) {
        #expect(MissingValueWord(word) == .mergeField)
    }

    @Test("Namibia's code is a kind of its own, and letters that an export lost are too")
    func codesAndLostLetters() {
        #expect(MissingValueWord("NA") == .notAvailable)
        #expect(MissingValueWord("???") == .lost && MissingValueWord("??? ????") == .lost)
    }

    @Test(arguments: [
        "1-Feb", "12-Dec", "Feb-01", "Mar-99", "1. Mrz", "01. Mai", "févr.-1", "févr.-01",
        "1-févr.", "01-ene", "ene-01", "1/fev", "01.янв", "янв.01", "1-mrt", "Nov-12",
    ])
    func datesOfSpreadsheets(_ word: String) {
        #expect(MissingValueWord(word) == .date)
    }

    @Test(
        "Names, numbers and codes of people mean something",
        arguments: [
            "", "Anna", "Nan", "Nil", "Na", "Noneth", "Nonna", "feb-01", "1 Feb", "100%",
            "{50% off}", "%20%", "{1}", "[1]", "What?", "Namibia", "Ina", "[none of it]", "Emma",
            "Err", "#1", "##", "#sale", "#NO 1",
            "49170123",
            "1E5", "3e", "1.5", "36-38", "Anne-Marie", "Jan-Ove", "Feb-1b", "1-Febr", "-5", "+49",
            "N/A.", "Über", "undefined behaviour", "E+11", "1.E+11",
        ])
    func whatMeansSomething(_ word: String) {
        #expect(MissingValueWord(word) == nil)
    }
}
