import CampaignCore

/// How long to wait for what does not go away by being asked again, and whether it is news that it lasts.
struct GrowingPatience: Sendable {
    private static let shortest: Duration = .seconds(1)

    private let longest: Duration
    private var wait = shortest
    private var told: String?

    /// - Parameter longest: what the wait grows up to.
    init(upTo longest: Duration = .seconds(60)) {
        self.longest = longest
    }

    /// How long to wait now; twice as long the next time, up to its bound.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Whether a reason has not been told; it counts as told then.
    ///
    /// The ids and times in a hub's answers make no other reason of it.
    mutating func isNews(_ reason: String) -> Bool {
        let essence = TroubleReason.essence(of: reason)
        defer { told = essence }
        return told != essence
    }

    /// Whether anything was told, which is over now.
    mutating func end() -> Bool {
        defer { self = GrowingPatience(upTo: longest) }
        return told != nil
    }
}
