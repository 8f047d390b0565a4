import CampaignCore

/// Limits claimed deliveries without a recorded outcome, under `on_unknown: hold`.
///
/// A kill makes all of them `unknown`, even unsent ones. The limit is `concurrency` plus a few, so
/// that no connection waits for the disk.
struct ClaimLimit: Hashable, Sendable {
    /// Deliveries besides those in flight.
    private static let slack = 50
    private static let pageSpan: Duration = .milliseconds(100)

    private let size: Int
    private let sharing: Int

    init(_ policy: DeliveryPolicy) {
        self.size = policy.concurrency + Self.slack
        self.sharing = policy.recipientsPerPush
    }

    /// How many pushes a platform may claim now; each may have several recipients.
    ///
    /// Every platform has an equal part, so that a slow one does not hold up the others. A claim
    /// costs a transaction, so it waits until it is worthwhile. `own` and `all` are claimed
    /// deliveries without an outcome; `platforms`, at least 1, are the unfinished ones.
    func room(own: Int, all: Int, platforms: Int, at rate: Double?) -> Int {
        // Whole pushes, rounded up. All parts may exceed the limit; `all` then bounds them.
        let part = (size / platforms + sharing - 1) / sharing * sharing
        let room = min(part - own, size - all) / sharing
        // At most half a part, so that one page is in flight while the other is recorded.
        let timely = RateLimiter.pushes(at: rate, in: Self.pageSpan, most: PushPage.maximumCount)
        let page = max(1, min(part / 2 / sharing, timely))
        let worthwhile = max(1, min(Self.slack / platforms / 2 / sharing, page))
        return room < worthwhile ? 0 : min(room, page)
    }
}
