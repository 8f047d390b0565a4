import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct InputFileErrorTests {
    @Test(arguments: [
        ("a.yaml", "a.yaml"), ("it's", #"'it'\''s'"#), ("a'\u{301};b", "'a'\\''\u{301};b'"),
        ("a\nb", #"$'a\x0ab'"#),
    ])
    func aCommandTakesTheFileAndNothingElse(path: String, word: String) {
        #expect(
            InputFileError.writableByOthers(path: path).description.hasSuffix("chmod go-w " + word))
        #expect(
            InputFileError.secretReadableByOthers(path: path).description.hasSuffix(
                "chmod 600 " + word))
    }
}
