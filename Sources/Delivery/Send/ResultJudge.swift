import CampaignCore

/// Decides what a push's result means for its delivery and for the run.
struct ResultJudge: Sendable {
    /// The wait of a push that the sender gave back unsent.
    private static let pauseAfterRefusal: Duration = .seconds(1)

    private let retry: RetryLimits
    private let onUnknown: UnknownPolicy
    /// nil while the hub serves pushes.
    private(set) var outage: HubOutage?
    /// Since when the hub has only throttled, and its latest `Retry-After`.
    private(set) var throttling: (since: Duration, until: Duration?)?
    var access: HubAccess { outage?.access ?? .open }
    private let backoff = Backoff()
    private var health: HubHealth
    private var platforms: [Platform: Standing]

    private struct Standing: Sendable {
        var health: HubHealth
        var throttledSince: Duration?
    }

    init(platforms: [Platform], policy: DeliveryPolicy, onUnknown: UnknownPolicy) {
        self.retry = policy.retry
        self.onUnknown = onUnknown
        let health = HubHealth(concurrency: policy.concurrency)
        self.health = health
        self.platforms = platforms.reduce(into: [:]) { $0[$1] = Standing(health: health) }
    }

    /// Notes a batch's definite answers before any push is judged: they came together.
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
        platforms[platform]?.health.answered(at: now)
        platforms[platform]?.throttledSince = nil
    }

    func hasAnswered(since time: Duration) -> Bool { health.hasAnswered(since: time) }

    mutating func probed(at time: Duration) {
        outage?.probed(at: time)
    }

    /// Judges one result, in order of arrival.
    ///
    /// - Parameter isEnding: whether the run takes no new work. Then nothing is sent again, and no
    ///   delivery fails because it ran out of tries.
    mutating func judge(
        _ result: PushResult, of attempt: Attempt, on platform: Platform, at now: Duration,
        isEnding: Bool, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        var attempt = attempt
        outage?.returned(sentAt: attempt.lastTry ?? now)
        if result.disposition != .notSent {
            attempt.firstResult = attempt.firstResult ?? now
            attempt.tries += 1
            if !result.disposition.isUnreachable { attempt.refusedSince = nil }
        }
        switch result.disposition {
        case .accepted:
            served(platform)
            return Verdict(state: .ended(.accepted), attempt: attempt)
        case .rejected:
            served(platform)
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
            outage = nil
            throttling = (throttling?.since ?? now, least.map { now + $0 })
            let since = platforms[platform]?.throttledSince ?? now
            platforms[platform]?.throttledSince = since
            let wait = wait(before: &attempt, atLeast: least, using: &generator)
            let pause = Pause(.throttled, of: platform, detail: result.detail)
            // Counts from the first throttled push, however many others wait.
            if now + wait - since > retry.duration, !isEnding {
                return Verdict(state: .waiting, attempt: attempt, pause: pause)
            }
            return again(
                attempt, on: platform, at: now, after: wait, isEnding: isEnding, otherwise: pause)
        case .retry(let least, .unreachable):
            attempt.refusedSince = attempt.refusedSince ?? now
            noteFailure(.unreachable(result.detail), of: attempt, at: now, using: &generator)
            let wait = wait(before: &attempt, atLeast: least, using: &generator)
            return afterRefusal(
                attempt, on: platform, at: now, after: wait, isEnding: isEnding,
                otherwise: Pause(.unreachable, detail: result.detail))
        case .unknown:
            attempt.isUncertain = true
            health.answerLost()
            platforms[platform]?.health.answerLost()
            if outage != nil || (health.isSilent && onUnknown == .resend) {
                noteFailure(.unanswering(result.detail), of: attempt, at: now, using: &generator)
            }
            let pause = Pause(.unanswering, detail: result.detail)
            let ownPause = Pause(.unanswering, of: platform, detail: result.detail)
            let mustPause = isExhausted && !isEnding
            switch onUnknown {
            case .hold:
                let isSilent = platforms[platform]?.health.isSilent == true && !isEnding
                return Verdict(
                    state: .ended(.unknown), attempt: attempt,
                    pause: mustPause ? pause : isSilent ? ownPause : nil)
            case .resend:
                attempt.failures += 1
                if mustPause { return Verdict(state: .waiting, attempt: attempt, pause: pause) }
                let wait = wait(before: &attempt, atLeast: nil, using: &generator)
                let isOwn = health.hasAnswered(since: attempt.firstTry ?? now)
                return again(
                    attempt, on: platform, at: now, after: wait, isEnding: isEnding,
                    otherwise: isOwn ? ownPause : pause)
            }
        }
    }

    private var isExhausted: Bool { outage?.isExhausted(retry) ?? false }

    private mutating func served(_ platform: Platform) {
        health.answerCame()
        outage = nil
        throttling = nil
        platforms[platform]?.health.answerCame()
        platforms[platform]?.throttledSince = nil
    }

    /// No usable answer: the hub may be away.
    private mutating func noteFailure(
        _ trouble: HubTrouble, of attempt: Attempt, at now: Duration,
        using generator: inout some RandomNumberGenerator
    ) {
        guard outage != nil else {
            let wait = backoff.delay(beforeRetry: 1, atLeast: nil, using: &generator)
            outage = HubOutage(trouble, at: now, wait: wait)
            return
        }
        guard outage?.failed(trouble, sentAt: attempt.lastTry ?? now, at: now) == true else {
            return
        }
        let retry = outage?.retry ?? 1
        let wait = backoff.delay(beforeRetry: retry, atLeast: nil, using: &generator)
        outage?.wait(wait, from: now)
    }

    /// Without a connection, a push fails only if others get one and its time is up.
    private func afterRefusal(
        _ attempt: Attempt, on platform: Platform, at now: Duration, after wait: Duration,
        isEnding: Bool, otherwise pause: Pause
    ) -> Verdict {
        if isEnding { return Verdict(state: .waiting, attempt: attempt) }
        if isExhausted { return Verdict(state: .waiting, attempt: attempt, pause: pause) }
        let due = now + wait
        let isLate = due - (attempt.firstResult ?? now) > retry.duration
        if isLate, isAlone(attempt, on: platform, since: attempt.firstTry ?? now) {
            return Verdict(state: .ended(.failed), attempt: attempt)
        }
        return Verdict(state: .waiting, attempt: attempt, due: due)
    }

    private func wait(
        before attempt: inout Attempt, atLeast least: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        attempt.retries += 1
        return backoff.delay(beforeRetry: attempt.retries, atLeast: least, using: &generator)
    }

    /// Sends again if tries and time allow; otherwise the push fails, or the run pauses.
    private func again(
        _ attempt: Attempt, on platform: Platform, at now: Duration, after wait: Duration,
        isEnding: Bool, otherwise pause: Pause
    ) -> Verdict {
        if isEnding { return Verdict(state: .waiting, attempt: attempt) }
        let firstTry = attempt.firstTry ?? now
        let due = now + wait
        if due - (attempt.firstResult ?? now) <= retry.duration,
            pause.cause == .throttled || attempt.failures < retry.attempts
        {
            return Verdict(state: .waiting, attempt: attempt, due: due)
        }
        // Throttling slows a run down but drops nobody.
        guard pause.cause != .throttled, isAlone(attempt, on: platform, since: firstTry) else {
            return Verdict(state: .waiting, attempt: attempt, pause: pause)
        }
        return Verdict(state: .ended(.failed), attempt: attempt)
    }

    /// Whether the hub answered others meanwhile, so that the trouble is this push's own.
    ///
    /// A platform with many lost answers in a row is down, even if others are answered.
    private func isAlone(
        _ attempt: Attempt, on platform: Platform, since firstTry: Duration
    ) -> Bool {
        if let refused = attempt.refusedSince { return health.hasAnswered(after: refused) }
        guard health.hasAnswered(since: firstTry) else { return false }
        guard let own = platforms[platform]?.health else { return true }
        return !own.isSilent || own.hasAnswered(since: firstTry)
    }
}

extension PushDisposition {
    fileprivate var isUnreachable: Bool {
        if case .retry(_, .unreachable) = self { true } else { false }
    }
}

struct Verdict: Hashable, Sendable {
    /// ``state(of:)`` may change it for one delivery.
    var state: DeliveryRecord.State
    /// With this try counted.
    var attempt: Attempt
    /// On the run's timeline; nil: not in this process.
    var due: Duration?
    /// Pauses the run or only its platform.
    var pause: Pause?

    /// A failed delivery that may have gone out in an earlier try is `unknown`.
    func state(of claim: DeliveryClaim) -> DeliveryRecord.State {
        guard state == .ended(.failed), attempt.isUncertain || claim.isUncertain else {
            return state
        }
        return .ended(.unknown)
    }
}
