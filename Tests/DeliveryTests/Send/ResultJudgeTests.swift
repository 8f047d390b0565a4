import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct ResultJudgeTests {
    private func attempt(
        attempts: Int = 0, failures: Int = 0, isUncertain: Bool = false
    ) -> Attempt {
        var attempt = Attempt([
            DeliveryClaim(
                number: 1, username: Username(checked: "alice"),
                PushedNotification(id: .placeholder), attempts: attempts,
                isUncertain: isUncertain)
        ])
        attempt.firstTry = .seconds(10)
        attempt.failures = failures
        return attempt
    }

    private func judge(_ onUnknown: UnknownPolicy = .resend, attempts: Int = 3) -> ResultJudge {
        ResultJudge(
            platforms: [.apns],
            policy: DeliveryPolicy(
                concurrency: 4, retry: RetryLimits(attempts: attempts, duration: .seconds(60))),
            onUnknown: onUnknown, random: SeededGenerator(seed: 3))
    }

    private mutating func verdict(
        _ disposition: PushDisposition, of attempt: Attempt, by judge: inout ResultJudge,
        at now: Duration = .seconds(20), isEnding: Bool = false
    ) -> Verdict {
        judge.judge(
            PushResult(number: 1, disposition: disposition, detail: "HTTP 599"), of: attempt,
            on: .apns,
            at: now, isEnding: isEnding)
    }

    @Test(
        "Each disposition leads to the expected state",
        arguments: [
            (PushDisposition.accepted, DeliveryRecord.State.ended(.accepted), 1),
            (.rejected, .ended(.rejected), 1),
            (.retry(after: nil, cause: .throttled), .waiting, 1),
            (.retry(after: nil, cause: .unreachable), .waiting, 1),
            (.unknown, .waiting, 1),
            (.stop(.credentials), .waiting, 1),
            (.notSent, .waiting, 0),
        ])
    mutating func eachDispositionLeadsToTheExpectedState(
        disposition: PushDisposition, state: DeliveryRecord.State, attempts: Int
    ) {
        var judge = judge()
        let verdict = verdict(disposition, of: attempt(), by: &judge)
        #expect(verdict.state == state)
        #expect(verdict.attempt.tries == attempts)
        #expect(verdict.attempt.isUncertain == (disposition == .unknown))
    }

    @Test("A push is retried when the hub says so") mutating func pushIsRetriedWhenTheHubSaysSo() {
        var judge = judge()
        let verdict = verdict(
            .retry(after: .seconds(30), cause: .throttled), of: attempt(), by: &judge)
        #expect(verdict.due == .seconds(50))
    }

    @Test("Throttled tries count only towards the time limit")
    mutating func throttledTriesCountOnlyTowardsTheTimeLimit() {
        var judge = judge()
        judge.note([PushResult(number: 9, disposition: .accepted)], on: .apns, at: .seconds(15))
        var spent = attempt()
        for _ in 0..<20 {
            let verdict = verdict(
                .retry(after: nil, cause: .throttled), of: spent, by: &judge, at: .seconds(10))
            #expect(verdict.due != nil)
            spent = verdict.attempt
            spent.retries = 0
        }
        let late = verdict(
            .retry(after: .seconds(61), cause: .throttled), of: spent, by: &judge, at: .seconds(11))
        #expect(late.state == .waiting)
        #expect(late.pause?.cause == .throttled)
        #expect(late.attempt.tries == 21)
    }

    @Test("While other pushes succeed, a refused push fails only when its time is up")
    mutating func whileOtherPushesSucceedARefusedPushFailsOnlyWhenItsTimeIsUp() {
        var judge = judge()
        var refused = attempt()
        let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)
        for second in 11...50 {
            judge.note(
                [PushResult(number: 9, disposition: .accepted)], on: .apns, at: .seconds(second))
            let verdict = verdict(unreachable, of: refused, by: &judge, at: .seconds(second))
            #expect(verdict.due != nil, "\(second)")
            refused = verdict.attempt
            refused.retries = 0
        }
        let late = verdict(
            .retry(after: .seconds(60), cause: .unreachable), of: refused, by: &judge,
            at: .seconds(51))
        #expect(late.state == .ended(.failed))
    }

    @Test("If the hub refuses everybody, the run pauses and nobody counts as failed")
    mutating func ifTheHubRefusesEverybodyTheRunPausesAndNobodyCountsAsFailed() {
        var judge = judge()
        var refused = attempt()
        let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)
        // Other pushes of the page succeeded just before, which says nothing about later ones.
        judge.note([PushResult(number: 9, disposition: .accepted)], on: .apns, at: .seconds(12))
        for second in [12, 13] {
            refused = verdict(unreachable, of: refused, by: &judge, at: .seconds(second)).attempt
        }
        let last = verdict(unreachable, of: refused, by: &judge, at: .seconds(14))
        #expect(last.state == .waiting)
        #expect(last.pause?.cause == .unreachable)
        #expect(last.pause?.reason.contains("(HTTP 599)") == true)
    }

    @Test("Pushes refused together count as one failure")
    mutating func pushesRefusedTogetherCountAsOneFailure() {
        var judge = judge()
        let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)
        var together = attempt()
        together.lastTry = .seconds(10)
        for _ in 0..<1_000 {
            let verdict = verdict(unreachable, of: together, by: &judge, at: .seconds(11))
            #expect(verdict.pause == nil)
            #expect(verdict.due != nil)
        }
    }

    @Test("One refused connection does not pause a run that allows one try")
    mutating func oneRefusedConnectionDoesNotPauseARunThatAllowsOneTry() {
        var judge = judge(attempts: 1)
        let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)
        var refused = attempt()
        refused.lastTry = .seconds(10)
        let first = verdict(unreachable, of: refused, by: &judge, at: .seconds(20))
        #expect(first.pause == nil)
        #expect(first.due != nil)
        refused = first.attempt
        refused.lastTry = .seconds(22)
        let second = verdict(unreachable, of: refused, by: &judge, at: .seconds(23))
        #expect(second.pause?.cause == .unreachable)
    }

    @Test("A hub that only throttles pauses the run after `retry.for`")
    mutating func hubThatOnlyThrottlesPausesTheRunAfterRetryFor() {
        var judge = judge()
        let throttled = PushDisposition.retry(after: nil, cause: .throttled)
        for second in [20, 40, 79] {
            let verdict = verdict(throttled, of: attempt(), by: &judge, at: .seconds(second))
            #expect(verdict.pause == nil, "\(second)")
        }
        let last = verdict(throttled, of: attempt(), by: &judge, at: .seconds(81))
        #expect(last.pause?.cause == .throttled)
        #expect(last.state == .waiting)
    }

    @Test("A push that may have been sent ends as unknown, not as failed")
    mutating func pushThatMayHaveBeenSentEndsAsUnknownNotAsFailed() {
        var judge = judge()
        judge.note([PushResult(number: 9, disposition: .accepted)], on: .apns, at: .seconds(15))
        let verdict = verdict(.unknown, of: attempt(failures: 2), by: &judge)
        #expect(verdict.attempt.claims.map(verdict.state) == [.ended(.unknown)])
    }

    @Test("Under hold, a lost response is final") mutating func underHoldALostResponseIsFinal() {
        var judge = judge(.hold)
        let verdict = verdict(.unknown, of: attempt(), by: &judge)
        #expect(verdict.state == .ended(.unknown))
        #expect(verdict.due == nil)
        #expect(verdict.pause == nil)
    }

    @Test("Under hold, twenty lost responses in a row pause the run")
    mutating func underHoldTwentyLostResponsesInARowPauseTheRun() {
        var judge = judge(.hold)
        for _ in 1..<20 { #expect(verdict(.unknown, of: attempt(), by: &judge).pause == nil) }
        #expect(verdict(.unknown, of: attempt(), by: &judge).pause?.cause == .unanswering)
    }

    @Test(
        "A refusal by the hub pauses the run",
        arguments: [
            (PushDisposition.StopCause.credentials, PauseCause.credentials),
            (.hubNotFound, .hubNotFound), (.notAHub, .notAHub),
        ])
    mutating func refusalByTheHubPausesTheRun(stop: PushDisposition.StopCause, cause: PauseCause) {
        var judge = judge()
        let verdict = verdict(.stop(stop), of: attempt(), by: &judge)
        #expect(verdict.pause?.cause == cause)
        #expect(verdict.due == nil)
    }

    @Test(
        "A run that is ending neither fails nor retries a push",
        arguments: [
            PushDisposition.retry(after: nil, cause: .unreachable),
            .retry(after: nil, cause: .throttled), .unknown, .stop(.credentials), .notSent,
        ])
    mutating func runThatIsEndingNeitherFailsNorRetriesAPush(disposition: PushDisposition) {
        var judge = judge(attempts: 1)
        let verdict = verdict(disposition, of: attempt(), by: &judge, isEnding: true)
        #expect(verdict.state == .waiting)
        #expect(verdict.due == nil)
        #expect(verdict.pause == nil)
    }

    /// Many results at once contain more lost responses in total than are allowed in a row.
    @Test("Lost responses among good ones do not count as silence")
    mutating func lostResponsesAmongGoodOnesDoNotCountAsSilence() {
        var judge = judge(.hold)
        let results = (1...1_000).map { number in
            PushResult(number: number, disposition: number % 14 == 0 ? .unknown : .accepted)
        }
        judge.note(results, on: .apns, at: .seconds(20))
        for result in results {
            let verdict = verdict(result.disposition, of: attempt(), by: &judge)
            #expect(verdict.pause == nil)
        }
    }

    @Test("Lost responses in a row count as silence despite earlier responses")
    mutating func lostResponsesInARowCountAsSilenceDespiteEarlierResponses() {
        var judge = judge(.hold)
        let results = (1...100).map { number in
            PushResult(number: number, disposition: number > 60 ? .unknown : .accepted)
        }
        judge.note(results, on: .apns, at: .seconds(20))
        let pauses = results.map { verdict($0.disposition, of: attempt(), by: &judge).pause != nil }
        #expect(pauses.firstIndex(of: true) == 79, "the twentieth in a row")
    }
}
