import CampaignCore

/// The rate of one platform, which falls when the hub throttles and then rises step by step.
///
/// Once a second, it falls by half the share of throttled answers and rises by a small step, as in
/// data center TCP (Alizadeh and others, 2010). The rate settles where about one in seventeen
/// answers is throttled, and runs that share a hub end up sharing its capacity.
struct AdaptiveRate: Hashable, Sendable {
    static let window: Duration = .seconds(1)
    /// The factor that is used instead if at least half of twenty or more answers are throttled.
    private static let shortestWindow: Duration = .milliseconds(250)
    private static let fewest = 20
    /// The share of the rate that is regained each second.
    private static let recovery = 0.03
    /// The minimum rate, and the minimum increase per second, in requests per second.
    static let least = 1.0

    /// The maximum rate in requests per second; nil means unlimited.
    var ceiling: Double?
    /// The current rate in requests per second; nil means as many as the ceiling allows.
    private(set) var limit: Double?
    private var start: Duration = .zero
    private var own = PlatformTraffic()
    private var others = PlatformTraffic()

    init(ceiling: Double?) {
        self.ceiling = ceiling
    }

    /// The minimum time between requests; nil if only the ceiling limits the rate.
    var interval: Duration? { limit.map { .seconds(1) / $0 } }

    mutating func answered(_ count: Int, at now: Duration) {
        advance(to: now)
        own.answers += count
    }

    mutating func throttled(_ count: Int, at now: Duration) {
        own.throttled += count
        advance(to: now)
    }

    /// Adds the hub's answers to other processes, which show how busy the hub is but not how fast
    /// this process was.
    mutating func others(_ traffic: PlatformTraffic, at now: Duration) {
        others.answers += traffic.answers
        others.throttled += traffic.throttled
        advance(to: now)
    }

    mutating func advance(to now: Duration) {
        let span = now - start
        let all = PlatformTraffic(
            answers: own.answers + others.answers,
            throttled: own.throttled + others.throttled)
        let isClear = all.answers >= Self.fewest && all.throttled * 2 >= all.answers
        guard span >= (isClear ? Self.shortestWindow : Self.window) else { return }
        let seconds = span / .seconds(1)
        // A process that was idle while others were throttled has no measured rate and starts from
        // the ceiling.
        let isIdle = own == PlatformTraffic()
        let made = limit ?? (isIdle ? ceiling : Double(own.answers) / seconds)
        if all.throttled > 0, let made {
            let share = min(1, Double(all.throttled) / Double(max(1, all.answers)))
            limit = min(made, ceiling ?? made) * (1 - share / 2)
        }
        if let lowered = limit {
            let raised = lowered + max(Self.least, lowered * Self.recovery) * seconds
            let isWhole = ceiling.map { raised >= $0 } ?? false
            limit = isWhole ? nil : max(Self.least, raised)
        }
        start = now
        own = PlatformTraffic()
        others = PlatformTraffic()
    }
}
