/// Requests a second over the last few seconds, for progress.
struct RateMeter: Sendable {
    private static let window: Duration = .seconds(5)

    private var samples: [(time: Duration, requests: Int)] = []

    /// Counts requests that ended.
    mutating func add(_ requests: Int, at now: Duration) {
        samples.append((now, requests))
        samples.removeAll { now - $0.time > Self.window }
    }

    /// The rate.
    ///
    /// - Parameter now: the time on the run's timeline, which began at zero.
    /// - Returns: requests a second over the window, or since the beginning where that is shorter.
    func rate(at now: Duration) -> Double {
        let recent = samples.filter { now - $0.time <= Self.window }
        let span = min(Self.window, max(now, .milliseconds(250)))
        return Double(recent.reduce(0) { $0 + $1.requests }) / (span / .seconds(1))
    }
}
