import CampaignCore

/// Decides what the result of a push means for its delivery and for the run: the one place that knows the retry rules.
struct ResultJudge: Sendable {
    /// How long a push waits that the sender gave back unsent before it is offered again.
    private static let pauseAfterRefusal: Duration = .seconds(1)

    let retry: RetryPolicy
    let onUnknown: UnknownPolicy
    /// Whether nobody gets a connection any more.
    var isHubAway: Bool { health.isAway }
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

    /// Judges one result; they are judged in the order in which they came.
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
        if result.disposition != .notSent {
            attempt.firstResult = attempt.firstResult ?? now
            attempt.tries += 1
            if !result.disposition.isUnreachable {
                health.spoke()
                attempt.refusals = 0
                attempt.refusedSince = nil
            }
        }
        switch result.disposition {
        case .accepted:
            health.answerCame()
            return Verdict(state: .ended(.accepted), attempt: attempt)
        case .rejected:
            health.answerCame()
            return Verdict(state: .ended(.rejected), attempt: attempt)
        case .notSent:
            return Verdict(
                state: .waiting, attempt: attempt,
                due: isEnding ? nil : now + Self.pauseAfterRefusal)
        case .stop(let cause):
            return Verdict(
                state: .waiting, attempt: attempt,
                pause: isEnding ? nil : Pause(stop: cause, detail: result.detail))
        case .retry(let least, .throttled):
            let wait = wait(before: &attempt, atLeast: least, using: &generator)
            return again(
                attempt, at: now, after: wait, isEnding: isEnding,
                otherwise: Pause(.throttled, detail: result.detail))
        case .retry(let least, .unreachable):
            health.refused()
            attempt.refusals += 1
            attempt.refusedSince = attempt.refusedSince ?? now
            let wait = wait(before: &attempt, atLeast: least, using: &generator)
            return again(
                attempt, at: now, after: wait, isEnding: isEnding,
                otherwise: Pause(.unreachable, detail: result.detail))
        case .unknown:
            attempt.isUncertain = true
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
        if due - (attempt.firstResult ?? now) <= retry.duration,
            mayTryAgain(attempt, after: pause.cause)
        {
            return Verdict(state: .waiting, attempt: attempt, due: due)
        }
        // Throttling slows a run down and drops nobody (contract, section 8).
        guard pause.cause != .throttled, isAlone(attempt, since: firstTry) else {
            return Verdict(state: .waiting, attempt: attempt, pause: pause)
        }
        return Verdict(state: .ended(.failed), attempt: attempt)
    }

    /// Whether a push has tries left; its time is another matter.
    private func mayTryAgain(_ attempt: Attempt, after cause: PauseCause) -> Bool {
        switch cause {
        case .throttled: true
        // Refused connections are always retried, unless nobody gets one any more.
        case .unreachable: attempt.refusals < retry.attempts || isAlone(attempt, since: .zero)
        default: attempt.failures < retry.attempts
        }
    }

    /// Whether the hub answered others while this push got nowhere, so that the trouble is its own.
    private func isAlone(_ attempt: Attempt, since firstTry: Duration) -> Bool {
        if let refused = attempt.refusedSince { return health.hasAnswered(after: refused) }
        return health.hasAnswered(since: firstTry)
    }
}

extension PushDisposition {
    fileprivate var isUnreachable: Bool {
        if case .retry(_, .unreachable) = self { true } else { false }
    }
}
