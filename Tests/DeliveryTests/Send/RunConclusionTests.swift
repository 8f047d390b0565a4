import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RunConclusionTests {
    private static let pause = Pause(.throttled, detail: "HTTP 429")

    @Test(arguments: [
        EndCause.complete, .waiting(until: TestBench.start), .late(detail: "too late"),
        .stopped(.resumable), .stopped(.final),
        .stopped(.revoking), .paused(pause),
    ])
    func aRunIsFinishedWhenNobodyIsLeftWhateverEndedTheWork(cause: EndCause) throws {
        let conclusion = try #require(RunConclusion(cause, left: 0))
        #expect(conclusion.result == .finished)
        #expect(conclusion.state == .finished)
        #expect(conclusion.reason == nil)
    }

    @Test func deliveriesThatAreLeftAfterAllWasDoneAreNoEnd() {
        #expect(RunConclusion(.complete, left: 1) == nil)
    }

    @Test func whoseTurnComesLaterStaysAsTheyAre() {
        let conclusion = RunConclusion(.waiting(until: TestBench.start), left: 4)
        #expect(conclusion?.result == .waiting(until: TestBench.start))
        #expect(conclusion?.state == .waiting)
        #expect(conclusion?.remainder == .kept)
    }

    @Test func whoIsLeftWhenTimeIsUpIsSkipped() {
        let conclusion = RunConclusion(.late(detail: "too late"), left: 4)
        #expect(conclusion?.result == .finished)
        #expect(conclusion?.remainder == .skipped(detail: "too late"))
        #expect(RunConclusion(.late(detail: "too late"), left: 0)?.remainder == .kept)
    }

    @Test func aStopThatCanBeResumedLeavesWhatIsLeft() {
        let conclusion = RunConclusion(.stopped(.resumable), left: 4)
        #expect(conclusion?.result == .stopped)
        #expect(conclusion?.state == .stopped)
        #expect(conclusion?.remainder == .kept)
    }

    /// Also when everybody was sent to before the request came.
    @Test(arguments: [StopMode.final, .revoking], [0, 4])
    func aStopForGoodEndsWhatIsLeft(mode: StopMode, left: Int) {
        let conclusion = RunConclusion(.stopped(mode), left: left)
        #expect(conclusion?.result == (left == 0 ? .finished : .ended))
        #expect(conclusion?.state == .finished)
        #expect(conclusion?.remainder == .ended(by: mode))
    }

    @Test func aPauseKeepsItsReason() {
        let conclusion = RunConclusion(.paused(Self.pause), left: 4)
        #expect(conclusion?.result == .paused(.throttled, reason: Self.pause.reason))
        #expect(conclusion?.state == .paused)
        #expect(conclusion?.reason == Self.pause.reason)
        #expect(conclusion?.remainder == .kept)
    }
}
