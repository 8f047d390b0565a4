import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FailureBreakerTests {
    @Test func itOpensAtTheShareAndNotBeforeEnoughHaveEnded() {
        var breaker = FailureBreaker(FailureLimit(percent: 5, minimum: 200))
        for _ in 0..<10 { breaker.note(.rejected) }
        for _ in 0..<189 { breaker.note(.accepted) }
        #expect(breaker.fault == nil)
        breaker.note(.accepted)
        #expect(breaker.fault?.contains("10 of the 200 deliveries") == true)
        breaker.note(.accepted)
        #expect(breaker.fault == nil)
    }

    @Test(arguments: [Outcome.rejected, .failed, .unknown])
    func everyBadEndCounts(outcome: Outcome) {
        var breaker = FailureBreaker(FailureLimit(percent: 100, minimum: 1))
        breaker.note(outcome)
        #expect(breaker.fault != nil)
    }

    @Test func whatWasLeftOutOnPurposeSaysNothing() {
        var breaker = FailureBreaker(FailureLimit(percent: 50, minimum: 2))
        breaker.note(.failed)
        for _ in 0..<10 { breaker.note(.skipped) }
        #expect(breaker.fault == nil)
    }

    @Test func withoutALimitItNeverOpens() {
        var breaker = FailureBreaker(nil)
        for _ in 0..<1_000 { breaker.note(.failed) }
        #expect(breaker.fault == nil)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func underAnyOrderItIsOpenExactlyAtTheShare(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = FailureLimit(
            percent: Int.random(in: 1...100, using: &generator),
            minimum: Int.random(in: 1...50, using: &generator))
        var breaker = FailureBreaker(limit)
        var (ended, failed) = (0, 0)
        for _ in 0..<300 {
            let outcome = Outcome.allCases.randomElement(using: &generator) ?? .accepted
            breaker.note(outcome)
            if outcome != .skipped, outcome != .notAttempted { ended += 1 }
            if [.rejected, .failed, .unknown].contains(outcome) { failed += 1 }
            let share = ended == 0 ? 0 : Double(failed) / Double(ended)
            let isTooMuch = ended >= limit.minimum && share * 100 >= Double(limit.percent)
            #expect((breaker.fault != nil) == isTooMuch)
        }
    }
}
