import Files
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct InputFileErrorTests {
    @Test(
        "A suggested command quotes the file's path",
        arguments: [
            ("a.yaml", "a.yaml"), ("it's", #"'it'\''s'"#), ("a'\u{301};b", "'a'\\''\u{301};b'"),
            ("a\nb", #"$'a\x0ab'"#),
        ])
    func suggestedCommandQuotesTheFilesPath(path: String, word: String) {
        for (problem, command) in [
            (ProtectedFileError.writableByOthers(.mode), "chmod go-w "),
            (.readableByOthers(.mode), "chmod 600 "),
        ] {
            #expect(
                InputFileError.unprotected(path: path, problem).description.hasSuffix(
                    command + word))
        }
    }
}
