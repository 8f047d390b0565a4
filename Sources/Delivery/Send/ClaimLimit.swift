import CampaignCore

/// The limit on deliveries that are claimed and have no outcome on disk, under `on_unknown: hold`.
///
/// A kill makes all of them `unknown`, even those that had not gone out. The limit is the `concurrency` that may be in flight and a few
/// more: deliveries that are claimed ahead, so that no connection waits for the disk, and those whose answers are not written down yet.
struct ClaimLimit: Hashable, Sendable {
    /// Deliveries beside those in flight.
    static let slack = 50
    /// A page holds this much sending at most.
    static let pageSpan: Duration = .milliseconds(100)

    private let size: Int
    private let sharing: Int
    private var ratePage: Int

    /// - Parameter policy: rate, concurrency, and how many share a push.
    init(_ policy: DeliveryPolicy) {
        self.size = policy.concurrency + Self.slack
        self.sharing = policy.recipientsPerPush
        self.ratePage = Self.page(at: policy.rate)
    }

    /// Goes by another rate from now on.
    mutating func keep(to rate: Double?) {
        ratePage = Self.page(at: rate)
    }

    private static func page(at rate: Double?) -> Int {
        rate.map { rate in
            let pushes = rate * (pageSpan / .seconds(1)) + RateLimiter.rounding
            return max(1, Int(min(pushes, 4_096)))
        } ?? .max
    }

    /// How many pushes a platform may claim now.
    ///
    /// Each platform has an even part, so that a platform with slow answers does not hold up the others. A claim costs a transaction:
    /// it waits until enough pushes may be claimed.
    ///
    /// - Parameters:
    ///   - own: deliveries of the platform that are claimed and have no outcome.
    ///   - all: the deliveries of all platforms that are claimed and have no outcome.
    ///   - platforms: those that have something left, at least 1.
    /// - Returns: how many pushes, whatever number of people shares each; 0: no push now.
    func room(own: Int, all: Int, platforms: Int) -> Int {
        // In whole pushes, rounded up. Together, the parts may be larger than the limit; then `all` bounds them.
        let part = (size / platforms + sharing - 1) / sharing * sharing
        let room = min(part - own, size - all) / sharing
        // A page is half of a part at most, so that one page is in flight while the other is written down.
        let page = max(1, min(part / 2 / sharing, ratePage))
        let worthwhile = max(1, min(Self.slack / platforms / 2 / sharing, page))
        return room < worthwhile ? 0 : min(room, page)
    }
}
