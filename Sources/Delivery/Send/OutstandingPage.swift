import CampaignCore

/// A page that the sender has; its pushes are numbered by their place in it.
struct OutstandingPage: Sendable {
    let platform: Platform
    private let start: Duration
    private var pushes: [Attempt?]

    /// - Parameters:
    ///   - platform: where the pushes go.
    ///   - attempts: the pushes, in their order.
    ///   - start: when they were handed over, on the run's timeline.
    init(platform: Platform, attempts: some Sequence<Attempt>, start: Duration) {
        self.platform = platform
        self.start = start
        self.pushes = attempts.map(Optional.some)
    }

    /// The numbers of those that have no result yet.
    var unanswered: [Int] {
        pushes.indices.filter { pushes[$0] != nil }
    }

    /// Takes the push of a result; nil when it has had one, or never was in the page.
    mutating func take(_ number: Int) -> Attempt? {
        guard pushes.indices.contains(number) else { return nil }
        var attempt = pushes[number]
        pushes[number] = nil
        if attempt?.firstTry == nil { attempt?.firstTry = start }
        attempt?.lastTry = start
        return attempt
    }
}
