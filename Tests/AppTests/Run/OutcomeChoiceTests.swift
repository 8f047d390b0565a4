import CampaignCore
import TestSupport
import Testing

@testable import App

/// The people that `run --again --only` sends to.
@Suite(.bounded) struct OutcomeChoiceTests {
    @Test func outcomesAreChosenByTheirNames() throws {
        #expect(try OutcomeChoice.read("failed") == [.failed])
        #expect(try OutcomeChoice.read("failed, not_attempted") == [.failed, .notAttempted])
    }

    @Test(arguments: ["failed,acepted", "accepted", "failed,", ""])
    func anythingElseIsAnsweredWithWhatCanBeChosen(text: String) {
        let fault = #expect(throws: Refused.self) { try OutcomeChoice.read(text) }
        #expect(
            fault?.description.hasSuffix(
                "write some of failed,rejected,unknown,skipped,not_attempted.") == true)
    }
}
