import CampaignCore
import TestSupport
import Testing

@testable import App

/// Tests which people `run --again --only` sends to.
@Suite(.bounded) struct OutcomeChoiceTests {
    @Test("Outcomes are selected by name") func outcomesAreSelectedByName() throws {
        #expect(try OutcomeChoice.read("failed") == [.failed])
        #expect(try OutcomeChoice.read("failed, not_attempted") == [.failed, .notAttempted])
    }

    @Test(
        "The message about an unknown outcome lists the valid ones",
        arguments: ["failed,acepted", "accepted", "failed,", ""])
    func messageAboutAnUnknownOutcomeListsTheValidOnes(text: String) {
        let fault = #expect(throws: Refused.self) { try OutcomeChoice.read(text) }
        #expect(
            fault?.description.hasSuffix(
                "write one or more of failed,rejected,unknown,skipped,not_attempted.") == true)
    }
}
