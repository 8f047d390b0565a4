/// The rate at which one platform takes pushes: halved when the hub asks for patience, then raised again bit by bit.
///
/// Additive increase and multiplicative decrease, as TCP does it (Chiu and Jain, 1989): it finds a rate that the hub
/// can bear, and runs that share a hub come to share it evenly.
struct AdaptiveRate: Hashable, Sendable {
    /// Answers that come within so short a time after a decrease speak of the rate before it.
    static let patience: Duration = .seconds(1)
    /// Each second without a complaint gives back this share of the rate at which the last one came.
    static let recovery = 0.05
    /// It never falls below this, in requests a second.
    static let least = 1.0

    /// Requests a second at the most; nil: unlimited.
    let ceiling: Double?
    /// Requests a second for now; nil: as many as the ceiling allows.
    private(set) var limit: Double?
    private var origin = Self.least
    private var decreased: Duration?
    private var raised: Duration = .zero

    init(ceiling: Double?) {
        self.ceiling = ceiling
    }

    /// The least time between two requests; nil: no more than the ceiling asks.
    var interval: Duration? { limit.map { .seconds(1) / $0 } }

    /// The hub asked for patience.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - observed: requests a second that were made lately.
    mutating func throttled(at now: Duration, observed: Double) {
        if let decreased, now - decreased < Self.patience { return }
        decreased = now
        raised = now
        origin = max(Self.least, min(limit ?? observed, ceiling ?? .infinity))
        limit = max(min(Self.least, ceiling ?? Self.least), origin / 2)
    }

    /// Gives back what the time without a complaint allows.
    mutating func recover(at now: Duration) {
        guard let limit, now > raised else { return }
        let step = max(Self.least, origin * Self.recovery) * ((now - raised) / .seconds(1))
        raised = now
        self.limit = limit + step
        if let ceiling, limit + step >= ceiling { self.limit = nil }
    }
}
