/// Limits the rate: each page reserves the time that its pushes take at that rate.
///
/// Unused time is lost, so there are no bursts. Times are on the run's ``Timeline``.
struct RateLimiter: Sendable {
    /// The tolerance for rounding, in pushes.
    private static let rounding = 0.001

    /// The minimum time between two requests; nil means unlimited.
    var interval: Duration?
    private var free: Duration = .zero

    /// - Parameter rate: requests per second, above 0; nil means unlimited.
    init(rate: Double?) {
        self.interval = rate.map { .seconds(1) / $0 }
    }

    /// How many pushes fit into a time span, at least 1.
    static func pushes(at rate: Double?, in span: Duration, most: Int) -> Int {
        guard let rate else { return most }
        return max(1, Int(min(rate * (span / .seconds(1)) + rounding, Double(most))))
    }

    /// When the next page may start: now, or at the end of earlier pages.
    func start(at now: Duration) -> Duration {
        max(free, now)
    }

    mutating func take(_ count: Int, from start: Duration) {
        guard let interval else { return }
        free = max(free, start) + interval * count
    }
}
