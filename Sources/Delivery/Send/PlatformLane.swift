import CampaignCore

struct PlatformLane: Sendable {
    let platform: Platform
    /// How many retries may be in memory before no new pushes start.
    private let capacity: Int
    private(set) var source = PushSource.waiting(after: 0, through: nil)
    var retries = RetryQueue<Attempt>()
    private(set) var unanswered = (pushes: 0, recipients: 0)
    var rate: AdaptiveRate
    private var limiter = RateLimiter(rate: nil)
    private var hadRetries = false
    private var isHeld = false
    private(set) var traffic = PlatformTraffic()

    init(platform: Platform, capacity: Int, ceiling: Double?) {
        self.platform = platform
        self.capacity = capacity
        self.rate = AdaptiveRate(ceiling: ceiling)
    }

    private var hasRoom: Bool { retries.count < capacity }

    var isDone: Bool { source == .dry && retries.isEmpty && unanswered.pushes == 0 }

    /// Whether the next page is also for this lane, because new pushes follow a page of retries.
    var keepsTurn: Bool { hadRetries && source.isFresh && hasRoom }

    /// Updates the source and the count of unanswered pushes.
    mutating func update(_ source: PushSource, _ unanswered: (pushes: Int, recipients: Int)) {
        self.source = isHeld ? .dry : source
        self.unanswered = unanswered
    }

    /// Whether waiting deliveries may be read now.
    ///
    /// Nothing new is claimed before all waiting deliveries are read, so that retries in memory are
    /// not read again.
    func mayRead(at now: Duration) -> Bool {
        hasRoom && retries.firstDue.map { $0 > now } ?? true
    }

    func start(at now: Duration) -> Duration { limiter.start(at: now) }

    /// When the lane may have another page; nil if it must wait for a result.
    func nextPage(after now: Duration, isProbing: Bool) -> Duration? {
        let free = start(at: now)
        if source.isFresh, hasRoom, !isProbing, free > now { return free }
        return retries.firstDue.map { max($0, free) }
    }

    /// The size of a page at the current rate, at least 1.
    mutating func pageSize(at now: Duration, most: Int) -> Int {
        rate.advance(to: now)
        return RateLimiter.pushes(at: rate.limit, in: PageScheduler.pageSpan, most: most)
    }

    /// Takes the next page; retries and new pushes alternate.
    ///
    /// - Parameter isProbing: whether the hub is away; if so, the page is a single push, which is
    ///   new only if no retry is waiting.
    mutating func nextPage(
        at now: Duration, size: Int, isProbing: Bool
    ) -> PageScheduler.Action? {
        let limit = isProbing ? 1 : size
        let mayBeFresh = source.isFresh && hasRoom && (!isProbing || retries.isEmpty)
        if !(hadRetries && mayBeFresh) {
            let due = retries.takeDue(at: now, limit: limit)
            if !due.isEmpty {
                hadRetries = true
                return .sendAgain(platform, due)
            }
        }
        hadRetries = false
        guard mayBeFresh, case .fresh(let wave) = source else { return nil }
        return .sendFresh(platform, wave: wave, limit: limit)
    }

    /// Stops sending; returns the retries it drops.
    mutating func hold() -> [Attempt] {
        isHeld = true
        return retries.removeAll { _ in true }
    }

    mutating func retry(_ attempt: Attempt, due: Duration) {
        retries.add(attempt.detached, due: due)
    }

    mutating func sent(_ count: Int, from start: Duration) {
        limiter.interval = rate.interval
        limiter.take(count, from: start)
        // This is valid until the next update, so that a lane that is sending its last retries is
        // not considered done.
        unanswered.pushes += count
    }

    /// - Parameter throttled: how many of the answers were throttled.
    mutating func answered(_ count: Int, throttled: Int, at now: Duration) {
        rate.answered(count, at: now)
        if throttled > 0 { rate.throttled(throttled, at: now) }
        traffic.answers += count
        traffic.throttled += throttled
    }
}
