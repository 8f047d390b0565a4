struct RateMeter: Sendable {
    private static let window: Duration = .seconds(5)

    /// Requests closer together than this share one sample, so that a fast run needs only a few
    /// samples.
    private static let grain: Duration = .milliseconds(100)

    private var samples: [(time: Duration, requests: Int)] = []

    mutating func add(_ requests: Int, at now: Duration) {
        if let last = samples.last, now - last.time < Self.grain {
            samples[samples.count - 1].requests += requests
            return
        }
        samples.removeAll { now - $0.time > Self.window }
        samples.append((now, requests))
    }

    /// Requests per second within the window, or since the start if that is shorter.
    func rate(at now: Duration) -> Double {
        let recent = samples.filter { now - $0.time <= Self.window }
        let span = min(Self.window, max(now, .milliseconds(250)))
        return Double(recent.reduce(0) { $0 + $1.requests }) / (span / .seconds(1))
    }
}
