import CampaignCore

/// Decides what the result of a push means for its delivery and for the run: the one place that knows the retry rules.
struct ResultJudge: Sendable {
    /// Before a push that the sender gave back unsent is offered again.
    private static let pauseAfterRefusal: Duration = .seconds(1)

    let retry: RetryPolicy
    let onUnknown: UnknownPolicy
    var backoff = Backoff()
    private var health: HubHealth

    init(policy: DeliveryPolicy, onUnknown: UnknownPolicy) {
        self.retry = policy.retry
        self.onUnknown = onUnknown
        self.health = HubHealth(concurrency: policy.concurrency)
    }

    /// Takes note of the definite answers in a batch, before any push of it is judged: they came at the same time.
    mutating func note(_ results: [PushResult], at now: Duration) {
        let isDefinite = results.contains { result in
            switch result.disposition {
            case .accepted, .rejected: true
            case .retry, .unknown, .stop, .notSent: false
            }
        }
        if isDefinite { health.answered(at: now) }
    }

    /// Judges one result.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - attempt: its push, as it was sent.
    ///   - now: the time on the run's timeline.
    ///   - isEnding: whether the run takes no new work any more: then nothing is sent again and nobody's tries run out.
    ///   - generator: where the jitter comes from.
    /// - Returns: what to write down and to do.
    mutating func judge(
        _ result: PushResult, of attempt: Attempt, at now: Duration, isEnding: Bool,
        using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        var attempt = attempt
        if result.disposition != .notSent { attempt.claim.attempts += 1 }
        switch result.disposition {
        case .accepted:
            return Verdict(state: .ended(.accepted), attempt: attempt)
        case .rejected:
            return Verdict(state: .ended(.rejected), attempt: attempt)
        case .notSent:
            return Verdict(
                state: .waiting, attempt: attempt,
                due: isEnding ? nil : now + Self.pauseAfterRefusal)
        case .stop(let cause):
            return Verdict(
                state: .waiting, attempt: attempt,
                pause: isEnding ? nil : Pause(stop: cause, detail: result.detail))
        case .retry(let least, let cause):
            if cause == .unreachable { attempt.failures += 1 }
            let pause = Pause(
                cause == .throttled ? .throttled : .unreachable, detail: result.detail)
            let wait = wait(before: &attempt, atLeast: least, using: &generator)
            return again(attempt, at: now, after: wait, isEnding: isEnding, otherwise: pause)
        case .unknown:
            attempt.claim.isUncertain = true
            let pause = Pause(.unanswering, detail: result.detail)
            switch onUnknown {
            case .hold:
                health.answerLost()
                return Verdict(
                    state: .ended(.unknown), attempt: attempt,
                    pause: health.isSilent && !isEnding ? pause : nil)
            case .resend:
                attempt.failures += 1
                let wait = wait(before: &attempt, atLeast: nil, using: &generator)
                return again(attempt, at: now, after: wait, isEnding: isEnding, otherwise: pause)
            }
        }
    }

    private func wait(
        before attempt: inout Attempt, atLeast least: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        attempt.retries += 1
        return backoff.delay(beforeRetry: attempt.retries, atLeast: least, using: &generator)
    }

    /// Lets a push go out again, if its tries and its time allow that; if not, it has failed, or the hub has.
    private func again(
        _ attempt: Attempt, at now: Duration, after wait: Duration, isEnding: Bool,
        otherwise pause: Pause
    ) -> Verdict {
        if isEnding { return Verdict(state: .waiting, attempt: attempt) }
        let firstTry = attempt.firstTry ?? now
        let due = now + wait
        if attempt.failures < retry.attempts, due - firstTry <= retry.duration {
            return Verdict(state: .waiting, attempt: attempt, due: due)
        }
        guard isAlone(attempt, in: pause.cause, at: now) else {
            return Verdict(state: .waiting, attempt: attempt, pause: pause)
        }
        let outcome: Outcome = attempt.claim.isUncertain ? .unknown : .failed
        return Verdict(state: .ended(outcome), attempt: attempt)
    }

    /// Whether the trouble is this push's own, and not the hub's.
    private func isAlone(_ attempt: Attempt, in cause: PauseCause, at now: Duration) -> Bool {
        switch cause {
        // Throttling slows a run down and drops nobody (contract, section 8).
        case .throttled: false
        // No connection says nothing about a push, unless others had one later.
        case .unreachable: health.hasAnswered(since: attempt.lastTry ?? now)
        default: health.hasAnswered(since: attempt.firstTry ?? now)
        }
    }
}
