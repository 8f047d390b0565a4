import TestSupport
import Testing

@testable import App

/// What the argument parser repeats of the command line looks like no line of ours.
@Suite(.bounded) struct UsageTextTests {
    @Test func lineBreaksWithinArgumentsAreWrittenOut() {
        let text = UsageText.visible(
            "Error: Unexpected argument 'a\nhubsend: done'\nUsage: hubsend",
            given: ["hubsend", "a\nhubsend: done"])
        #expect(text == "Error: Unexpected argument 'a\\nhubsend: done'\nUsage: hubsend")
    }

    @Test func aValueBehindAnEqualsSignIsOneToo() {
        let text = UsageText.visible(
            "Error: The value 'x\ny' is invalid", given: ["--format=x\ny"])
        #expect(text == "Error: The value 'x\\ny' is invalid")
    }
}
