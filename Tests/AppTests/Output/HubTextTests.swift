import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct HubTextTests {
    @Test(
        "Text from the hub becomes one line without control characters",
        arguments: [
            ("", ""),
            ("400: bad request", "400: bad request"),
            ("a\r\n\tb", "a b"),
            ("\n\na", "a"),
            ("a \n", "a"),
            ("\u{1B}[31mred", "[31mred"),
            ("a\u{202E}b\u{200B}c\u{FEFF}", "abc"),
            ("a\u{2028}b\u{85}c", "a b c"),
            ("größe 👍", "größe 👍"),
        ])
    func textFromTheHubBecomesOneLineWithoutControlCharacters(text: String, cleaned: String) {
        #expect(HubText.cleaned(text) == cleaned)
    }

    @Test("Text from the hub is cut to 200 characters", arguments: ["a", "é", "👍", "\n a"])
    func textFromTheHubIsCutTo200Characters(piece: String) {
        let cleaned = HubText.cleaned(String(repeating: piece, count: 5000))
        #expect(cleaned.unicodeScalars.count == 200 || cleaned.unicodeScalars.count == 199)
        #expect(!cleaned.hasSuffix(" "))
    }
}
