import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct MissingValueWordTests {
    @Test(
        "Error values of spreadsheets are recognised",
        arguments: [
            "#NAME?", "#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!",
            "#BEZUG!", "#NV", "#WERT!", "#ÜBERLAUF!", "#¿NOMBRE?", "#¡REF!", "#VALEUR!", "#NOM?",
            "Err:502", "#N/V", "#¡VALOR!", "#Н/Д", "#YOK",
        ])
    func errorValuesOfSpreadsheetsAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .spreadsheetError)
    }

    @Test(
        "Words for a missing value are recognised",
        arguments: [
            "NULL", "null", "\\N", "None", "nil", "<nil>", "nan", "NaN", "n/a", "N/A", "-", "--",
            "–",
            "undefined", "(null)", "<null>", "[NULL]", "[object Object]", "none", "NONE", "Null",
            "?",
            "Invalid date", "Invalid Date", "<none>", "(not set)",
        ])
    func wordsForAMissingValueAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .nothing)
    }

    @Test(
        "Numbers in scientific notation are recognised",
        arguments: ["1.23E+11", "2,19E+26", "4.91701e+11", "1E+05", "-1.5E-03", "1.23E11"])
    func numbersInScientificNotationAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .rounded)
    }

    @Test("Cells that were too narrow are recognised", arguments: ["###", "########"])
    func cellsThatWereTooNarrowAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .tooNarrow)
    }

    @Test(
        "Unfilled merge fields are recognised",
        arguments: [
            "{{first_name}}", "{{ contact.first_name | default: \"friend\" }}", "*|FNAME|*",
            "%FIRSTNAME%", "%%FirstName%%", "[[name]]", "${name}", "<<Name>>", "{first_name}",
            "<%= name %>", "#{name}",
        ])
    func unfilledMergeFieldsAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .mergeField)
    }

    @Test("NA and rows of question marks are recognised as separate kinds")
    func naAndRowsOfQuestionMarksAreRecognisedAsSeparateKinds() {
        #expect(MissingValueWord("NA") == .notAvailable)
        #expect(MissingValueWord("???") == .lost && MissingValueWord("??? ????") == .lost)
    }

    @Test(
        "Values that a spreadsheet turned into dates are recognised",
        arguments: [
            "1-Feb", "12-Dec", "Feb-01", "Mar-99", "1. Mrz", "01. Mai", "févr.-1", "févr.-01",
            "1-févr.", "01-ene", "ene-01", "1/fev", "01.янв", "янв.01", "1-mrt", "Nov-12",
        ])
    func valuesThatASpreadsheetTurnedIntoDatesAreRecognised(_ word: String) {
        #expect(MissingValueWord(word) == .date)
    }

    @Test(
        "Real names, numbers and codes are not taken for missing values",
        arguments: [
            "", "Anna", "Nan", "Nil", "Na", "Noneth", "Nonna", "feb-01", "1 Feb", "100%",
            "{50% off}", "%20%", "{1}", "[1]", "What?", "Namibia", "Ina", "[none of it]", "Emma",
            "Err", "#1", "##", "#sale", "#NO 1",
            "49170123",
            "1E5", "3e", "1.5", "36-38", "Anne-Marie", "Jan-Ove", "Feb-1b", "1-Febr", "-5", "+49",
            "N/A.", "Über", "undefined behaviour", "E+11", "1.E+11",
        ])
    func realNamesNumbersAndCodesAreNotTakenForMissingValues(_ word: String) {
        #expect(MissingValueWord(word) == nil)
    }
}
