import CampaignCore

/// How long to wait before a retry, and whether the reason has been reported.
struct RetryDelay: Sendable {
    private static let shortest: Duration = .seconds(1)

    private let longest: Duration
    private var wait = shortest
    private var told: String?

    init(upTo longest: Duration = .seconds(60)) {
        self.longest = longest
    }

    /// Returns how long to wait now; the next wait is twice as long, up to a maximum.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Returns whether a reason is new, and records it as reported.
    ///
    /// Reasons that differ only in the ids and times of a hub's responses are the same.
    mutating func isNews(_ reason: String) -> Bool {
        let essence = TroubleReason.essence(of: reason)
        defer { told = essence }
        return told != essence
    }

    /// Ends the problem, and returns whether it had been reported.
    mutating func end() -> Bool {
        defer { self = RetryDelay(upTo: longest) }
        return told != nil
    }
}
