import CampaignCore

/// Says when nothing more of the pages that are out can succeed, from what became of requests.
///
/// Either an answer said so, or the hub is away: then the rest comes back with the failure that it would meet too, and
/// nobody has to find out by themselves. It is pure; its owner locks.
struct LaneHalts {
    private enum Reason {
        case stopped
        /// With what is said about each push then.
        case away(detail: String)
    }

    /// How often it was said; a page ends its sending when it changes.
    private(set) var count = 0
    private var reason = Reason.stopped
    private var last: ContinuousClock.Instant?
    private var lastAnswer: ContinuousClock.Instant?

    /// Takes note of what became of a push.
    ///
    /// - Parameters:
    ///   - outcome: what the client says.
    ///   - start: when it began.
    ///   - now: the present.
    ///   - isLate: whether it took all the time that a request has.
    mutating func note(
        _ outcome: SendOutcome, from start: ContinuousClock.Instant,
        to now: ContinuousClock.Instant, isLate: Bool
    ) {
        guard case .failure(let error) = outcome.result else { return lastAnswer = now }
        guard error.status == nil else {
            lastAnswer = now
            if case .stop = error.disposition { halt(.stopped, at: now) }
            return
        }
        // Those that were under way together say only one thing, and an answer meanwhile says another.
        let isFirst = last.map { $0 < start } ?? true
        let isAlone = lastAnswer.map { $0 >= start } ?? false
        switch error.disposition {
        case .stop:
            halt(.stopped, at: now)
        case .retry where isFirst && !isAlone:
            halt(.away(detail: error.summary), at: now)
        case .unknown where isLate && isFirst && !isAlone:
            halt(.away(detail: error.summary), at: now)
        case .accepted, .rejected, .retry, .unknown:
            break
        }
    }

    /// What becomes of a push that is not begun any more.
    func result(of number: Int, isCancelled: Bool) -> PushResult {
        if !isCancelled, case .away(let detail) = reason {
            return PushResult(
                number: number, disposition: .retry(after: nil, cause: .unreachable),
                detail: detail,
                requests: 0)
        }
        return PushResult(number: number, disposition: .notSent, requests: 0)
    }

    private mutating func halt(_ reason: Reason, at now: ContinuousClock.Instant) {
        count += 1
        self.reason = reason
        last = now
    }
}
