import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RunConclusionTests {
    private static let pause = Pause(.throttled, detail: "HTTP 429")

    /// Ends a run for four people that has sent nothing yet or has sent to everybody.
    private func conclude(_ cause: EndCause, hasSent: Bool = false) async throws -> RunSummary {
        let bench = TestBench()
        let id = try await bench.stage(
            TestBench.campaign(), people: ListedAudience.people(count: 4))
        if hasSent {
            let claims = try await bench.ledger.claimNext(id, platform: .apns, limit: 4)
            try await bench.ledger.record(
                claims.map { claim in
                    DeliveryRecord(
                        number: claim.number, platform: .apns, state: .ended(.accepted),
                        attempts: 1, isUncertain: false, detail: "", hubMessage: nil,
                        recordedAt: TestBench.start)
                }, requests: 4, of: id)
        }
        return try await bench.ledger.conclude(
            try await bench.ledger.record(of: id), cause, waves: nil, now: bench.now)
    }

    @Test(
        "A run with nobody left is finished, whatever stopped the work",
        arguments: [
            EndCause.complete, .waiting(until: TestBench.start), .late(detail: "too late"),
            .stopped(.resumable), .stopped(.final),
            .stopped(.revoking), .paused(pause),
        ])
    func runWithNobodyLeftIsFinishedWhateverStoppedTheWork(cause: EndCause) {
        #expect(RunResult(cause, left: 0) == .finished)
    }

    @Test("Deliveries that are left when the work is complete cause an error")
    func deliveriesThatAreLeftWhenTheWorkIsCompleteCauseAnError() async {
        #expect(RunResult(.complete, left: 1) == nil)
        await #expect(throws: RunError.self) { try await conclude(.complete) }
    }

    @Test("People of later waves are not changed")
    func peopleOfLaterWavesAreNotChanged() async throws {
        let summary = try await conclude(.waiting(until: TestBench.start + 60))
        #expect(summary.result == .waiting(until: TestBench.start + 60))
        #expect(summary.record.state == .waiting)
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: 4]))
    }

    @Test("People left at the deadline are skipped")
    func peopleLeftAtTheDeadlineAreSkipped() async throws {
        let summary = try await conclude(.late(detail: SkipReason.tooLate.detail("time is up")))
        #expect(summary.result == .finished)
        #expect(summary.record.state == .finished)
        #expect(summary.outcomes[.skipped] == 4)
    }

    @Test("A resumable stop keeps the remaining deliveries")
    func resumableStopKeepsTheRemainingDeliveries() async throws {
        let summary = try await conclude(.stopped(.resumable))
        #expect(summary.result == .stopped)
        #expect(summary.record.state == .stopped)
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: 4]))
    }

    @Test(
        "A final stop ends the remaining deliveries",
        arguments: [(StopMode.final, Outcome.notAttempted), (.revoking, .skipped)])
    func finalStopEndsTheRemainingDeliveries(mode: StopMode, outcome: Outcome) async throws {
        let summary = try await conclude(.stopped(mode))
        #expect(summary.result == .ended)
        #expect(summary.record.state == .finished)
        #expect(summary.outcomes[outcome] == 4)
        #expect((summary.record.revoked != nil) == (mode == .revoking))
    }

    @Test("A revoking stop revokes the payloads even if everybody has been sent to")
    func revokingStopRevokesThePayloadsEvenIfEverybodyHasBeenSentTo() async throws {
        let summary = try await conclude(.stopped(.revoking), hasSent: true)
        #expect(summary.result == .finished)
        #expect(summary.record.revoked != nil)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 4]))
    }

    @Test("A paused run keeps the reason for its pause") func pausedRunKeepsTheReasonForItsPause()
        async throws
    {
        let summary = try await conclude(.paused(Self.pause))
        #expect(summary.result == .paused(.throttled, reason: Self.pause.reason))
        #expect(summary.record.state == .paused)
        #expect(summary.record.reason == Self.pause.reason)
        #expect(summary.record.pause == .passing)
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: 4]))
    }
}
