import CampaignCore

struct PlatformLane: Sendable {
    enum Page: Hashable, Sendable {
        case again([Attempt])
        case fresh(limit: Int)
    }

    let platform: Platform
    /// Pushes that may wait in memory before no new ones begin.
    private let capacity: Int
    private var source = PushSource.waiting(after: 0)
    private var retries = RetryQueue<Attempt>()
    private(set) var unanswered = 0
    /// Recipients of the pushes that are out.
    private(set) var unansweredRecipients = 0
    private var rate: AdaptiveRate
    private var limiter = RateLimiter(rate: nil)
    private var hadRetries = false
    private var isHeld = false
    private(set) var traffic = PlatformTraffic()

    init(platform: Platform, capacity: Int, ceiling: Double?) {
        self.platform = platform
        self.capacity = capacity
        self.rate = AdaptiveRate(ceiling: ceiling)
    }

    /// The least time between two requests; nil: the run's own.
    var interval: Duration? { rate.interval }

    private var hasRoom: Bool { retries.count < capacity }

    var isDone: Bool { source == .dry && retries.isEmpty && unanswered == 0 }

    /// Whether the lane also gets the next page: a page of fresh pushes follows a page of retries.
    var keepsTurn: Bool { hadRetries && source == .fresh && hasRoom }

    /// The number after which to read waiting deliveries; nil if there is nothing to read now.
    ///
    /// Nothing fresh is claimed before all is read, so that pushes waiting here are not read again.
    func scanStart(at now: Duration) -> Int? {
        guard case .waiting(let number) = source, hasRoom,
            retries.firstDue.map({ $0 > now }) ?? true
        else { return nil }
        return number
    }

    func start(at now: Duration) -> Duration { limiter.start(at: now) }

    /// When the lane may have a page again; nil: not before a result comes.
    func nextPage(after now: Duration, isProbing: Bool) -> Duration? {
        let free = start(at: now)
        if source == .fresh, hasRoom, !isProbing, free > now { return free }
        return retries.firstDue.map { max($0, free) }
    }

    /// At least 1, at the current rate.
    mutating func pageSize(at now: Duration, most: Int) -> Int {
        rate.advance(to: now)
        guard let limit = rate.limit else { return most }
        return min(most, max(1, Int(limit * (PageScheduler.pageSpan / .seconds(1)))))
    }

    /// Takes the next page; retries and fresh pushes take turns.
    ///
    /// - Parameter isProbing: whether the hub is away: the page is then a single push, fresh only
    ///   if no retry waits.
    mutating func nextPage(at now: Duration, size: Int, isProbing: Bool) -> Page? {
        let mayBeFresh = source == .fresh && hasRoom && (!isProbing || retries.isEmpty)
        if !(hadRetries && mayBeFresh) {
            let due = retries.takeDue(at: now, limit: isProbing ? 1 : size)
            if !due.isEmpty {
                hadRetries = true
                return .again(due)
            }
        }
        hadRetries = false
        guard mayBeFresh else { return nil }
        return .fresh(limit: isProbing ? 1 : size)
    }

    /// Takes waiting pushes, due at once; nil `last`: all was read.
    mutating func scanned(_ attempts: [Attempt], upTo last: Int?) {
        guard let last else {
            source = .fresh
            return
        }
        source = .waiting(after: last)
        for attempt in attempts { retry(attempt, due: .zero) }
    }

    mutating func ranDry() {
        source = .dry
    }

    mutating func turn(to source: PushSource) {
        if !isHeld { self.source = source }
    }

    mutating func readAgain() {
        if case .waiting = source { return }
        turn(to: .waiting(after: 0))
    }

    /// Stops sending; returns the retries it drops.
    mutating func hold() -> [Attempt] {
        source = .dry
        isHeld = true
        return retries.removeAll { _ in true }
    }

    /// Drops retries from memory and returns them; the ledger keeps them.
    mutating func drop(where isDropped: (Attempt) -> Bool) -> [Attempt] {
        retries.removeAll(where: isDropped)
    }

    /// Drops all retries but the first, and returns them.
    mutating func dropAllButOne() -> [Attempt] {
        retries.removeAllButFirst()
    }

    mutating func retry(_ attempt: Attempt, due: Duration) {
        retries.add(attempt.detached, due: due)
    }

    mutating func sent(_ count: Int, to recipients: Int, from start: Duration) {
        limiter.interval = rate.interval
        limiter.take(count, from: start)
        unanswered += count
        unansweredRecipients += recipients
    }

    mutating func answered(_ count: Int, of recipients: Int, at now: Duration) {
        rate.answered(count, at: now)
        traffic.answers += count
        unanswered -= count
        unansweredRecipients -= recipients
    }

    mutating func throttled(at now: Duration) {
        rate.throttled(at: now)
        traffic.complaints += 1
    }

    mutating func others(_ traffic: PlatformTraffic, at now: Duration) {
        rate.others(traffic, at: now)
    }

    mutating func keep(below ceiling: Double?) {
        rate.ceiling = ceiling
    }
}

enum PushSource: Hashable, Sendable {
    case waiting(after: Int)
    case fresh
    /// Everybody whose turn it is was tried.
    case dry
}
