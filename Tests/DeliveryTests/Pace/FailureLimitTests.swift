import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FailureLimitTests {
    @Test("The limit is reached at its percentage once enough pushes have ended")
    func limitIsReachedAtItsPercentageOnceEnoughPushesHaveEnded() {
        let limit = FailureLimit(percent: 5, minimum: 200)
        #expect(limit.tooManyFailures(in: OutcomeCounts([.rejected: 10, .accepted: 189])) == nil)
        let detail = limit.tooManyFailures(in: OutcomeCounts([.rejected: 10, .accepted: 190]))
        #expect(detail?.contains("10 of the 200 deliveries") == true)
        #expect(limit.tooManyFailures(in: OutcomeCounts([.rejected: 10, .accepted: 191])) == nil)
    }

    @Test(
        "Rejected, failed and unknown deliveries count as failures",
        arguments: [Outcome.rejected, .failed, .unknown])
    func rejectedFailedAndUnknownDeliveriesCountAsFailures(outcome: Outcome) {
        let limit = FailureLimit(percent: 100, minimum: 1)
        #expect(limit.tooManyFailures(in: OutcomeCounts([outcome: 1])) != nil)
    }

    @Test("Skipped deliveries do not count as failures")
    func skippedDeliveriesDoNotCountAsFailures() {
        let limit = FailureLimit(percent: 50, minimum: 2)
        #expect(limit.tooManyFailures(in: OutcomeCounts([.failed: 1, .skipped: 10])) == nil)
    }

    @Test("A run without a limit is never stopped by failures")
    func runWithoutALimitIsNeverStoppedByFailures() {
        var journal = OutcomeJournal(outcomes: OutcomeCounts(), requests: 0)
        journal.endedElsewhere.add(OutcomeCounts([.failed: 1_000]))
        #expect(journal.tooManyFailures == nil)
    }

    @Test(
        "The failure limit is exact for any order of outcomes", arguments: 0..<30 as Range<UInt64>)
    func failureLimitIsExactForAnyOrderOfOutcomes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = FailureLimit(
            percent: Int.random(in: 1...100, using: &generator),
            minimum: Int.random(in: 1...50, using: &generator))
        var outcomes = OutcomeCounts()
        var (ended, failed) = (0, 0)
        for _ in 0..<300 {
            let outcome = Outcome.allCases.randomElement(using: &generator) ?? .accepted
            outcomes[outcome] += 1
            if outcome != .skipped, outcome != .notAttempted { ended += 1 }
            if [.rejected, .failed, .unknown].contains(outcome) { failed += 1 }
            let share = ended == 0 ? 0 : Double(failed) / Double(ended)
            let isTooMuch = ended >= limit.minimum && share * 100 >= Double(limit.percent)
            #expect((limit.tooManyFailures(in: outcomes) != nil) == isTooMuch)
        }
    }
}
