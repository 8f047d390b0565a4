import CampaignCore

/// How long to wait before something that failed is tried again, and whether its reason is news.
struct GrowingPatience: Sendable {
    private static let shortest: Duration = .seconds(1)

    private let longest: Duration
    private var wait = shortest
    private var told: String?

    /// - Parameter longest: the wait grows up to this.
    init(upTo longest: Duration = .seconds(60)) {
        self.longest = longest
    }

    /// How long to wait now; the next wait is twice as long, up to the longest.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Whether a reason was not told before; it counts as told then.
    ///
    /// Two reasons that differ only in the ids and times of a hub's answers are the same.
    mutating func isNews(_ reason: String) -> Bool {
        let essence = TroubleReason.essence(of: reason)
        defer { told = essence }
        return told != essence
    }

    /// Ends the trouble, and says whether people had been told of it.
    mutating func end() -> Bool {
        defer { self = GrowingPatience(upTo: longest) }
        return told != nil
    }
}
