import TestSupport
import Testing

@testable import App

/// Arguments that the parser repeats must not look like a line of hubsend's own output.
@Suite(.bounded) struct UsageTextTests {
    @Test("Line breaks in arguments are escaped") func lineBreaksInArgumentsAreEscaped() {
        let text = UsageText.visible(
            "Error: Unexpected argument 'a\nhubsend: done'\nUsage: hubsend",
            given: ["hubsend", "a\nhubsend: done"])
        #expect(text == "Error: Unexpected argument 'a\\nhubsend: done'\nUsage: hubsend")
    }

    @Test("A value after an equals sign is also escaped") func valueAfterAnEqualsSignIsAlsoEscaped()
    {
        let text = UsageText.visible(
            "Error: The value 'x\ny' is invalid", given: ["--format=x\ny"])
        #expect(text == "Error: The value 'x\\ny' is invalid")
    }
}
