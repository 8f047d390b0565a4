import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Delivery

@Suite(.bounded) struct ProgressBarTests {
    private func progress(_ trouble: HubTrouble?) -> RunProgress {
        RunProgress(
            run: RunID(checked: "20260101T000000Z-aaaaaa"), deliveries: 988,
            outcomes: OutcomeCounts([.notAttempted: 988]), requests: 0, rate: 0, started: Date(),
            trouble: trouble)
    }

    @Test("The progress line says why a run is waiting") func progressLineSaysWhyARunIsWaiting() {
        let line = ProgressBar.line(
            progress(.unreachable("the name contoso.example does not resolve")), columns: 79)
        #expect(
            line == "0 of 988  waiting for the hub: the name contoso.example does not resolve")
    }

    @Test("A long line is cut in the middle, so that its end stays visible")
    func longLineIsCutInTheMiddleSoThatItsEndStaysVisible() {
        let name = String(repeating: "a", count: 50) + ".servicebus.windows.net"
        let line = ProgressBar.line(
            progress(.unreachable("the name \(name) does not resolve")), columns: 79)
        #expect(line.count == 79)
        #expect(line.hasPrefix("0 of 988  waiting for the hub: the name aaa"))
        #expect(line.hasSuffix("does not resolve"))
    }

    @Test("While the hub is throttling, the progress line says until when")
    func whileTheHubIsThrottlingTheProgressLineSaysUntilWhen() {
        let line = ProgressBar.line(progress(.throttled(until: Date())), columns: 79)
        #expect(line.contains(/waiting for the hub: it is throttling until \d\d:\d\d:\d\d$/))
    }

    @Test("The line shows the number of workers if there is more than one")
    func lineShowsTheNumberOfWorkersIfThereIsMoreThanOne() {
        let line = ProgressBar.line(
            RunProgress(
                run: RunID(checked: "20260101T000000Z-aaaaaa"), deliveries: 988,
                outcomes: OutcomeCounts([.notAttempted: 988]), requests: 0, rate: 0,
                started: Date(), others: 2), columns: 79)
        #expect(line == "[........................] 0 %  0 of 988  3 workers")
    }

    @Test("The progress line shows an unreachable store rather than trouble with the hub")
    func progressLineShowsAnUnreachableStoreRatherThanTroubleWithThe() {
        for trouble in [nil, HubTrouble.unreachable("it is away")] {
            #expect(
                ProgressBar.line(progress(trouble), columns: 79, isStoreAway: true)
                    == "0 of 988  waiting for the store, which is not answering")
        }
    }

    @Test("A run in progress shows a progress bar") func runInProgressShowsAProgressBar() {
        #expect(
            ProgressBar.line(progress(nil), columns: 79)
                == "[........................] 0 %  0 of 988")
    }
}
