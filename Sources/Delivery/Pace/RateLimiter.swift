/// Keeps to a rate: each page takes the time of its pushes.
///
/// Unused time is gone, so that no burst makes up for it. Times are those of the run's ``Timeline``.
struct RateLimiter: Sendable {
    /// How much a share of a rate may fall short of a whole push by rounding.
    static let rounding = 0.001

    /// The least time between the starts of two requests; nil: unlimited.
    var interval: Duration?
    private var free: Duration = .zero

    /// - Parameter rate: requests a second, over 0; nil: unlimited.
    init(rate: Double?) {
        self.interval = rate.map { .seconds(1) / $0 }
    }

    /// When the next page may start.
    ///
    /// - Parameter now: the time.
    /// - Returns: now, or the time at which the pages before have ended.
    func start(at now: Duration) -> Duration {
        max(free, now)
    }

    /// Takes the time of a page.
    ///
    /// - Parameters:
    ///   - count: its pushes.
    ///   - start: when its first one starts, as ``start(at:)`` gave it.
    mutating func take(_ count: Int, from start: Duration) {
        guard let interval else { return }
        free = max(free, start) + interval * count
    }
}
