import CampaignCore

/// How long to wait before a retry, and whether the reason is news.
struct RetryDelay: Sendable {
    private static let shortest: Duration = .seconds(1)

    private let longest: Duration
    private var wait = shortest
    private var told: String?

    init(upTo longest: Duration = .seconds(60)) {
        self.longest = longest
    }

    /// The wait for now; the next one is twice as long, up to the longest.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Whether a reason is new; it then counts as reported.
    ///
    /// Reasons that differ only in the ids and times of a hub's answers are the same.
    mutating func isNews(_ reason: String) -> Bool {
        let essence = TroubleReason.essence(of: reason)
        defer { told = essence }
        return told != essence
    }

    /// Ends the trouble, and returns whether it had been reported.
    mutating func end() -> Bool {
        defer { self = RetryDelay(upTo: longest) }
        return told != nil
    }
}
