import Files
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct InputFileErrorTests {
    @Test(arguments: [
        ("a.yaml", "a.yaml"), ("it's", #"'it'\''s'"#), ("a'\u{301};b", "'a'\\''\u{301};b'"),
        ("a\nb", #"$'a\x0ab'"#),
    ])
    func aCommandTakesTheFileAndNothingElse(path: String, word: String) {
        for (fault, command) in [
            (FileFault.writableByOthers(.mode), "chmod go-w "),
            (.readableByOthers(.mode), "chmod 600 "),
        ] {
            #expect(
                InputFileError.unprotected(path: path, fault).description.hasSuffix(command + word))
        }
    }
}
