import CampaignCore

/// Limits claimed deliveries without a recorded outcome, for `on_unknown: hold`.
///
/// If the process is killed, all these deliveries become `unknown`, even unsent ones. The limit is
/// slightly above `concurrency`, so that no connection waits for the disk.
struct ClaimLimit: Hashable, Sendable {
    /// How many deliveries may be claimed in addition to those in flight.
    private static let slack = 50
    private static let pageSpan: Duration = .milliseconds(100)

    private let size: Int
    private let sharing: Int

    init(_ policy: DeliveryPolicy) {
        self.size = policy.concurrency + Self.slack
        self.sharing = policy.recipientsPerPush
    }

    /// How many pushes a platform may claim now; a push may have several recipients.
    ///
    /// Every platform has an equal share, so that a slow platform does not hold up the others. Each
    /// claim needs a transaction, so a platform claims only when it is worthwhile. `own` and `all`
    /// are the numbers of claimed deliveries without an outcome; `platforms`, at least 1, is the
    /// number of unfinished platforms.
    func room(own: Int, all: Int, platforms: Int, at rate: Double?) -> Int {
        // The share is rounded up to whole pushes. The sum of the shares may exceed the limit, but
        // `all` enforces it.
        let part = (size / platforms + sharing - 1) / sharing * sharing
        let room = min(part - own, size - all) / sharing
        // A page has no more than half a share, so that one page is in flight while another is
        // recorded.
        let timely = RateLimiter.pushes(at: rate, in: Self.pageSpan, most: PushPage.maximumCount)
        let page = max(1, min(part / 2 / sharing, timely))
        let worthwhile = max(1, min(Self.slack / platforms / 2 / sharing, page))
        return room < worthwhile ? 0 : min(room, page)
    }
}
