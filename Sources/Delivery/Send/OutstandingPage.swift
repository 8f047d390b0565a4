import CampaignCore

/// A page that the sender has, with the pushes that have no result yet.
struct OutstandingPage: Sendable {
    let platform: Platform
    private var open: [Int: Attempt]

    init(platform: Platform, attempts: [Attempt]) {
        self.platform = platform
        self.open = Dictionary(attempts.map { ($0.claim.number, $0) }) { first, _ in first }
    }

    /// What has no result yet, by number.
    var unanswered: [Attempt] {
        open.values.sorted { $0.claim.number < $1.claim.number }
    }

    /// Takes the push of a result; nil when it has had one, or never was in the page.
    mutating func take(_ number: Int) -> Attempt? {
        open.removeValue(forKey: number)
    }
}
