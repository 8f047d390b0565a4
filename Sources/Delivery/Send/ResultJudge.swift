import CampaignCore

/// Decides what a push's result means for its delivery and for the run.
struct ResultJudge: Sendable {
    /// The delay of a push that the sender returned unsent.
    private static let pauseAfterRefusal: Duration = .seconds(1)

    private let retry: RetryLimits
    private let onUnknown: UnknownPolicy
    /// nil while the hub answers.
    private(set) var outage: HubOutage?
    /// Since when the hub has answered only by throttling, and the end of its latest `Retry-After`.
    private(set) var throttling: (since: Duration, until: Duration?)?
    var access: HubAccess { outage?.access ?? .open }
    private let backoff = Backoff()
    private var health: HubHealth
    private var platforms: [Platform: HubHealth]
    private var generator: any RandomNumberGenerator & Sendable

    /// - Parameter random: the source of jitter.
    init(
        platforms: [Platform], policy: DeliveryPolicy, onUnknown: UnknownPolicy,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.generator = random
        self.retry = policy.retry
        self.onUnknown = onUnknown
        let health = HubHealth(concurrency: policy.concurrency)
        self.health = health
        self.platforms = platforms.reduce(into: [:]) { $0[$1] = health }
    }

    /// Takes note of the definite answers in a batch before its pushes are judged, because they
    /// arrived together.
    mutating func note(_ results: [PushResult], on platform: Platform, at now: Duration) {
        let isDefinite = results.contains { result in
            switch result.disposition {
            case .accepted, .rejected: true
            case .retry, .unknown, .stop, .notSent: false
            }
        }
        guard isDefinite else { return }
        health.answered(at: now)
        outage = nil
        throttling = nil
        platforms[platform]?.answered(at: now)
    }

    func hasAnswered(since time: Duration) -> Bool { health.hasAnswered(since: time) }

    mutating func probed(at time: Duration) {
        outage?.probed(at: time)
    }

    /// Judges one result; call in order of arrival.
    ///
    /// - Parameter isEnding: whether the run takes no new work; if so, nothing is sent again, and
    ///   no delivery fails for having run out of tries.
    mutating func judge(
        _ result: PushResult, of attempt: Attempt, on platform: Platform, at now: Duration,
        isEnding: Bool
    ) -> Verdict {
        var attempt = attempt
        note(result, of: &attempt, on: platform, at: now)
        func ended(_ outcome: Outcome, _ pause: Pause? = nil) -> Verdict {
            Verdict(state: .ended(outcome), attempt: attempt, pause: pause)
        }
        func waits(until due: Duration? = nil, _ pause: Pause? = nil) -> Verdict {
            Verdict(state: .waiting, attempt: attempt, due: due, pause: pause)
        }
        func pause(_ cause: PauseCause, of platform: Platform? = nil) -> Pause {
            Pause(cause, of: platform, detail: result.detail)
        }
        func backedOff(_ least: Duration? = nil) -> Duration {
            attempt.retries += 1
            return now
                + backoff.delay(beforeRetry: attempt.retries, atLeast: least, using: &generator)
        }
        let firstTry = attempt.firstTry ?? now
        let end = (attempt.firstResult ?? now) + retry.duration
        switch (result.disposition, onUnknown) {
        case (.accepted, _): return ended(.accepted)
        case (.rejected, _): return ended(.rejected)
        case (.unknown, .hold) where isEnding: return ended(.unknown)
        case (.unknown, .hold) where isExhausted: return ended(.unknown, pause(.unanswering))
        case (.unknown, .hold):
            let isSilent = platforms[platform]?.isSilent == true
            return ended(.unknown, isSilent ? pause(.unanswering, of: platform) : nil)
        case _ where isEnding: return waits()
        case (.notSent, _): return waits(until: now + Self.pauseAfterRefusal)
        case (.stop(let cause), _): return waits(Pause(stop: cause, detail: result.detail))
        case (.retry(let least, .throttled), _):
            // Throttling slows a run down but drops nobody. The time is measured from the first
            // throttled push of the platform.
            let due = backedOff(least)
            let since = platforms[platform]?.throttledSince ?? now
            let isLate = due > min(end, since + retry.duration)
            return isLate ? waits(pause(.throttled, of: platform)) : waits(until: due)
        case (.retry(_, .unreachable), _) where isExhausted: return waits(pause(.unreachable))
        case (.retry(let least, .unreachable), _):
            // Without a connection, a push fails only if other pushes got a connection and its own
            // time is up.
            let due = backedOff(least)
            let isOver = due > end && isAlone(attempt, on: platform, since: firstTry)
            return isOver ? ended(.failed) : waits(until: due)
        case (.unknown, .resend) where isExhausted: return waits(pause(.unanswering))
        case (.unknown, .resend):
            let due = backedOff()
            if due <= end, attempt.failures < retry.attempts { return waits(until: due) }
            if isAlone(attempt, on: platform, since: firstTry) { return ended(.failed) }
            let isOwn = health.hasAnswered(since: firstTry)
            return waits(pause(.unanswering, of: isOwn ? platform : nil))
        }
    }

    /// Takes note of what a result means for its push, its platform and the hub.
    private mutating func note(
        _ result: PushResult, of attempt: inout Attempt, on platform: Platform, at now: Duration
    ) {
        outage?.returned(sentAt: attempt.lastTry ?? now)
        guard result.disposition != .notSent else { return }
        attempt.firstResult = attempt.firstResult ?? now
        attempt.tries += 1
        var trouble: HubTrouble?
        var refusedSince: Duration?
        switch result.disposition {
        case .accepted, .rejected:
            health.answerCame()
            outage = nil
            throttling = nil
            platforms[platform]?.answerCame()
        case .retry(let least, .throttled):
            outage = nil
            throttling = (throttling?.since ?? now, least.map { now + $0 })
            let since = platforms[platform]?.throttledSince ?? now
            platforms[platform]?.throttledSince = since
        case .retry(_, .unreachable):
            refusedSince = attempt.refusedSince ?? now
            trouble = .unreachable(result.detail)
        case .unknown:
            attempt.isUncertain = true
            attempt.failures += 1
            health.answerLost()
            platforms[platform]?.answerLost()
            if outage != nil || (health.isSilent && onUnknown == .resend) {
                trouble = .unanswering(result.detail)
            }
        case .stop, .notSent: break
        }
        attempt.refusedSince = refusedSince
        if let trouble { noteFailure(trouble, of: attempt, at: now) }
    }

    private var isExhausted: Bool { outage?.isExhausted(retry) ?? false }

    /// Takes note of a missing answer, because the hub may be away.
    private mutating func noteFailure(_ trouble: HubTrouble, of attempt: Attempt, at now: Duration)
    {
        guard let known = outage else {
            let wait = backoff.delay(beforeRetry: 1, atLeast: nil, using: &generator)
            outage = HubOutage(trouble, at: now, wait: wait)
            return
        }
        guard outage?.failed(trouble, sentAt: attempt.lastTry ?? now, at: now) == true else {
            return
        }
        let wait = backoff.delay(beforeRetry: known.tries + 1, atLeast: nil, using: &generator)
        outage?.wait(wait, from: now)
    }

    /// Whether the hub answered other pushes in the meantime, so that the trouble concerns only
    /// this push.
    ///
    /// A platform with many lost answers in a row is considered down, even if the hub answers for
    /// other platforms.
    private func isAlone(
        _ attempt: Attempt, on platform: Platform, since firstTry: Duration
    ) -> Bool {
        if let refused = attempt.refusedSince { return health.hasAnswered(after: refused) }
        guard health.hasAnswered(since: firstTry) else { return false }
        guard let own = platforms[platform] else { return true }
        return !own.isSilent || own.hasAnswered(since: firstTry)
    }
}

struct Verdict: Hashable, Sendable {
    /// The state of the push's deliveries, unless ``state(of:)`` changes it.
    var state: DeliveryRecord.State
    /// The push, including this try.
    var attempt: Attempt
    /// When to try again, on the run's timeline; nil if this process does not try again.
    var due: Duration?
    /// Set if the run, or only the platform, must pause.
    var pause: Pause?

    /// The state of one delivery: if it failed but may have been sent in an earlier try, it is
    /// `unknown`.
    func state(of claim: DeliveryClaim) -> DeliveryRecord.State {
        guard state == .ended(.failed), attempt.isUncertain || claim.isUncertain else {
            return state
        }
        return .ended(.unknown)
    }
}
