import CampaignCore

/// What one platform has left to send, and how fast it may.
struct PlatformLane: Sendable {
    /// The next page.
    enum Page: Hashable, Sendable {
        case again([Attempt])
        case fresh(limit: Int)
    }

    let platform: Platform
    /// Pushes that may wait in memory before no new ones are begun.
    private let capacity: Int
    private var source = PushSource.waiting(after: 0)
    private var retries = RetryQueue<Attempt>()
    /// Pushes that are out.
    private(set) var unanswered = 0
    /// How many people the pushes that are out go to.
    private(set) var unansweredRecipients = 0
    private var rate: AdaptiveRate
    private var limiter = RateLimiter(rate: nil)
    private var hadRetries = false
    private var isHeld = false
    /// The answers to its pushes so far.
    private(set) var traffic = PlatformTraffic()

    init(platform: Platform, capacity: Int, ceiling: Double?) {
        self.platform = platform
        self.capacity = capacity
        self.rate = AdaptiveRate(ceiling: ceiling)
    }

    /// The least time between two requests; nil: no more than the run's own.
    var interval: Duration? { rate.interval }

    private var hasRoom: Bool { retries.count < capacity }

    /// Whether all of its deliveries have their outcomes.
    var isDone: Bool { source == .dry && retries.isEmpty && unanswered == 0 }

    /// Whether the next page is this lane's, too: after a page of retries, a page of fresh pushes belongs to the same turn.
    var keepsTurn: Bool { hadRetries && source == .fresh && hasRoom }

    /// The number after which to read on what waits in the ledger; nil when nothing has to be read now.
    ///
    /// Nothing fresh is claimed before all of it is read, so that pushes that this process lets wait are not read again.
    func scanStart(at now: Duration) -> Int? {
        guard case .waiting(let number) = source, hasRoom,
            retries.firstDue.map({ $0 > now }) ?? true
        else { return nil }
        return number
    }

    /// When the platform's own rate allows the next page.
    func start(at now: Duration) -> Duration { limiter.start(at: now) }

    /// When the lane may have a page, if it has none now; nil: not before a result comes.
    func nextPage(after now: Duration, isProbing: Bool) -> Duration? {
        let free = start(at: now)
        if source == .fresh, hasRoom, !isProbing, free > now { return free }
        return retries.firstDue.map { max($0, free) }
    }

    /// Pushes of a page at the rate that holds now, at least 1.
    mutating func pageSize(at now: Duration, most: Int) -> Int {
        rate.advance(to: now)
        guard let limit = rate.limit else { return most }
        return min(most, max(1, Int(limit * (PageScheduler.pageSpan / .seconds(1)))))
    }

    /// Takes the next page, nil when none is due; retries and fresh pushes take turns.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - size: its pushes at most.
    ///   - isProbing: whether the hub is away. Then the page is a single push, to find out whether the hub is back, and it is a fresh
    ///     one only when no retry waits.
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

    /// Takes pushes that an earlier process left waiting; they are due at once.
    ///
    /// - Parameters:
    ///   - attempts: the pushes.
    ///   - last: the last delivery's number; nil: all was read.
    mutating func scanned(_ attempts: [Attempt], upTo last: Int?) {
        guard let last else {
            source = .fresh
            return
        }
        source = .waiting(after: last)
        for attempt in attempts { retry(attempt, due: .zero) }
    }

    /// Nothing is left that was never tried.
    mutating func ranDry() {
        source = .dry
    }

    /// Takes pushes from another source from now on.
    mutating func turn(to source: PushSource) {
        if !isHeld { self.source = source }
    }

    /// Reads again what waits in the ledger, unless it is being read.
    mutating func readAgain() {
        if case .waiting = source { return }
        turn(to: .waiting(after: 0))
    }

    /// Gives nothing out from now on.
    ///
    /// - Returns: the forgotten retries.
    mutating func hold() -> [Attempt] {
        source = .dry
        isHeld = true
        return retries.removeAll { _ in true }
    }

    /// Forgets retries; they stand in the ledger, and are read again from there.
    ///
    /// - Returns: the forgotten ones.
    mutating func drop(where isDropped: (Attempt) -> Bool) -> [Attempt] {
        retries.removeAll(where: isDropped)
    }

    /// Forgets all retries but the first.
    ///
    /// - Returns: the forgotten ones.
    mutating func dropAllButOne() -> [Attempt] {
        retries.removeAllButFirst()
    }

    /// Lets a push wait for its next try.
    mutating func retry(_ attempt: Attempt, due: Duration) {
        retries.add(attempt.detached, due: due)
    }

    /// A page of it went out.
    mutating func sent(_ count: Int, to recipients: Int, from start: Duration) {
        limiter.interval = rate.interval
        limiter.take(count, from: start)
        unanswered += count
        unansweredRecipients += recipients
    }

    /// Pushes of it have their results.
    mutating func answered(_ count: Int, of recipients: Int, at now: Duration) {
        rate.answered(count, at: now)
        traffic.answers += count
        unanswered -= count
        unansweredRecipients -= recipients
    }

    /// The hub asked for patience.
    mutating func throttled(at now: Duration) {
        rate.throttled(at: now)
        traffic.complaints += 1
    }

    /// Other processes that send to it have had answers.
    mutating func others(_ traffic: PlatformTraffic, at now: Duration) {
        rate.others(traffic, at: now)
    }

    /// Keeps below another rate from now on.
    mutating func keep(below ceiling: Double?) {
        rate.ceiling = ceiling
    }
}

/// Where a platform's next pushes come from, besides its retry queue.
enum PushSource: Hashable, Sendable {
    /// Deliveries that wait in the ledger, beyond this number.
    case waiting(after: Int)
    /// Deliveries that were never tried.
    case fresh
    /// Nowhere: everybody whose turn it is was tried.
    case dry
}
