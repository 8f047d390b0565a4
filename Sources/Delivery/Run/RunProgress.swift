package import CampaignCore
package import FoundationEssentials

/// Where a run stands while it is worked on.
package struct RunProgress: Hashable, Sendable {
    package let run: RunID
    package let deliveries: Int
    /// Outcomes to date, those of other processes included; a delivery without one counts as `not_attempted`.
    package let outcomes: OutcomeCounts
    /// Hub requests to date, those of other processes included.
    package let requests: Int
    /// Requests a second over the last seconds, of all processes together.
    package let rate: Double
    /// When the run was first started.
    package let started: Date
    /// Why it stands still; nil when it does not.
    package let trouble: HubTrouble?
    /// How many other processes work on it besides this one.
    package let others: Int

    package init(
        run: RunID, deliveries: Int, outcomes: OutcomeCounts, requests: Int, rate: Double,
        started: Date, trouble: HubTrouble? = nil, others: Int = 0
    ) {
        self.run = run
        self.deliveries = deliveries
        self.outcomes = outcomes
        self.requests = requests
        self.rate = rate
        self.started = started
        self.trouble = trouble
        self.others = others
    }
}

/// Requests a second over the last few seconds, for progress.
struct RateMeter: Sendable {
    private static let window: Duration = .seconds(5)

    /// Requests that end within this time are one sample, so that even a fast run has few samples.
    private static let grain: Duration = .milliseconds(100)

    private var samples: [(time: Duration, requests: Int)] = []

    /// Counts requests that ended.
    mutating func add(_ requests: Int, at now: Duration) {
        if let last = samples.last, now - last.time < Self.grain {
            samples[samples.count - 1].requests += requests
            return
        }
        samples.removeAll { now - $0.time > Self.window }
        samples.append((now, requests))
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
