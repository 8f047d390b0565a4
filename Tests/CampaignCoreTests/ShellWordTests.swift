import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct ShellWordTests {
    @Test(
        "A combining mark does not hide a quotation mark",
        arguments: [
            ("a\u{D4E}'b", "'a\u{D4E}'\\''b'"), ("a'\u{301}b", "'a'\\''\u{301}b'"),
            ("a\u{600}'b", "$'a\\U00000600\\'b'"), ("'\u{301}", "''\\''\u{301}'"),
        ])
    func combiningMarkDoesNotHideAQuotationMark(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test(
        "A quoted word cannot become a build log command",
        arguments: [
            ("##[a", "$'##\\133a'"), ("##vso[a", "$'##vso\\133a'"), ("##VSO[a", "$'##VSO\\133a'"),
            ("##[\u{301}", "$'##\\133\u{301}'"), ("##v1[", "'##v1['"),
            ("##teamcity[a", "$'##teamcity\\133a'"),
        ])
    func quotedWordCannotBecomeABuildLogCommand(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test(
        "A combining mark does not make a special character ordinary",
        arguments: [";", "$", "'", "`", "\n", "*", "\""])
    func combiningMarkDoesNotMakeASpecialCharacterOrdinary(sign: String) {
        for text in JoiningMarks.around(sign) {
            #expect(!ShellWord.isPlain(text, besides: " ._-/"))
        }
    }

    @Test(
        "Letters of all scripts are ordinary characters",
        arguments: ["", "a/b.c", "größe 3", "gro\u{308}ße", "東京", "\u{D4E}a"])
    func lettersOfAllScriptsAreOrdinaryCharacters(text: String) {
        #expect(ShellWord.isPlain(text, besides: " ._-/"))
    }
}
