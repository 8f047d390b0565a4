import CampaignCore

/// The rate at which one platform takes pushes: lowered when the hub asks for patience, then raised again bit by bit.
///
/// Once a second it is lowered by half the share of answers that complained, and raised by a small step, as data center TCP does it
/// (Alizadeh and others, 2010). A hub that refuses everything halves it, and a stray complaint hardly matters. It comes to rest where
/// about one answer in seventeen complains. Runs that share a hub come to share its rate.
struct AdaptiveRate: Hashable, Sendable {
    /// Answers are looked at over this time.
    static let window: Duration = .seconds(1)
    /// Answers are looked at after this time already, when there are at least twenty of them and half complain.
    private static let shortestWindow: Duration = .milliseconds(250)
    private static let fewest = 20
    /// The share of the rate that comes back each second.
    private static let recovery = 0.03
    /// In requests a second: the least rate, and the least that comes back each second.
    static let least = 1.0

    /// Requests a second at most; nil: unlimited.
    var ceiling: Double?
    /// Requests a second for now; nil: as many as the ceiling allows.
    private(set) var limit: Double?
    private var start: Duration = .zero
    private var answers = 0
    private var complaints = 0
    /// What came back from the hub to others who work on the run.
    private var others = PlatformTraffic()

    init(ceiling: Double?) {
        self.ceiling = ceiling
    }

    /// The least time between two requests; nil: no more than the ceiling asks.
    var interval: Duration? { limit.map { .seconds(1) / $0 } }

    /// Answers came, of whatever kind.
    mutating func answered(_ count: Int, at now: Duration) {
        advance(to: now)
        answers += count
    }

    /// One of them asked for patience.
    mutating func throttled(at now: Duration) {
        complaints += 1
        advance(to: now)
    }

    /// Others have had answers, some of which asked for patience.
    ///
    /// They say how busy the hub is, and nothing of how fast this process was.
    mutating func others(_ traffic: PlatformTraffic, at now: Duration) {
        others.answers += traffic.answers
        others.complaints += traffic.complaints
        advance(to: now)
    }

    /// Ends the window when it is time to, and draws the conclusion from it.
    mutating func advance(to now: Duration) {
        let span = now - start
        let all = PlatformTraffic(
            answers: answers + others.answers, complaints: complaints + others.complaints)
        let isClear = all.answers >= Self.fewest && all.complaints * 2 >= all.answers
        guard span >= (isClear ? Self.shortestWindow : Self.window) else { return }
        let seconds = span / .seconds(1)
        // A process that sent nothing while others were asked for patience has no rate of its own: it starts from the ceiling.
        let isIdle = answers == 0 && complaints == 0
        let made = limit ?? (isIdle ? ceiling : Double(answers) / seconds)
        if all.complaints > 0, let made {
            let share = min(1, Double(all.complaints) / Double(max(1, all.answers)))
            limit = lowest(made) * (1 - share / 2)
        }
        if let lowered = limit {
            let raised = lowered + max(Self.least, lowered * Self.recovery) * seconds
            let isWhole = ceiling.map { raised >= $0 } ?? false
            limit = isWhole ? nil : max(Self.least, raised)
        }
        start = now
        answers = 0
        complaints = 0
        others = PlatformTraffic()
    }

    private func lowest(_ rate: Double) -> Double { min(rate, ceiling ?? rate) }
}
