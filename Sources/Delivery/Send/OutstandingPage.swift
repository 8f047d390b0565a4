import CampaignCore

/// A page that the sender has; its pushes are numbered by their place in it.
struct OutstandingPage: Sendable {
    let platform: Platform
    private var pushes: [Attempt?]

    init(platform: Platform, attempts: [Attempt]) {
        self.platform = platform
        self.pushes = attempts
    }

    /// The numbers of those that have no result yet.
    var unanswered: [Int] {
        pushes.indices.filter { pushes[$0] != nil }
    }

    /// Takes the push of a result; nil when it has had one, or never was in the page.
    mutating func take(_ number: Int) -> Attempt? {
        guard pushes.indices.contains(number) else { return nil }
        defer { pushes[number] = nil }
        return pushes[number]
    }
}
