import CampaignCore

/// The limit on deliveries that are claimed and have no outcome on disk, under `on_unknown: hold`.
///
/// All of these are `unknown` after a kill, even those whose turn had not come. They are the `concurrency` that may be in flight, and a few
/// more: those that are claimed ahead, so that no connection waits for the disk, and those that are answered and not written down.
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
        rate.map { max(1, Int(min($0 * (pageSpan / .seconds(1)), 4_096))) } ?? .max
    }

    /// How many pushes a platform may claim now.
    ///
    /// Each platform has an even part, so that one whose answers are slow holds up no other; and a claim is a transaction, so that it
    /// waits until it is worth one.
    ///
    /// - Parameters:
    ///   - own: deliveries of the platform that are claimed and have no outcome.
    ///   - all: the same of all platforms.
    ///   - platforms: those that have something left, at least 1.
    /// - Returns: pushes, however many share them; 0: none now.
    func room(own: Int, all: Int, platforms: Int) -> Int {
        // In whole pushes, rounded up: together the parts may be too large, and then `all` bounds them.
        let part = (size / platforms + sharing - 1) / sharing * sharing
        let room = min(part - own, size - all) / sharing
        // Two pages at the least, so that one is in flight while the other is written down.
        let page = max(1, min(part / 2 / sharing, ratePage))
        let worthwhile = max(1, min(Self.slack / platforms / 2 / sharing, page))
        return room < worthwhile ? 0 : min(room, page)
    }
}
