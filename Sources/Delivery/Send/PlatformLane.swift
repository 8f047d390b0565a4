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
    /// The people whom these go to.
    private(set) var unansweredRecipients = 0
    private var rate: AdaptiveRate
    private var limiter = RateLimiter(rate: nil)
    private var hadRetries = false
    /// What came back for its pushes so far.
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

    /// Whether the next page is due to this lane still, since a page of retries shares a turn with one of fresh pushes.
    var keepsTurn: Bool { hadRetries && source == .fresh && hasRoom }

    /// The number after which to read on what an earlier process left; nil when there is no need to now.
    ///
    /// Nothing is claimed freshly before all of it is read, so that no push that this process lets wait is read again.
    func scanStart(at now: Duration) -> Int? {
        guard case .waiting(let number) = source, hasRoom,
            retries.firstDue.map({ $0 > now }) ?? true
        else { return nil }
        return number
    }

    /// When a page may go out as far as this platform's own rate is concerned.
    func start(at now: Duration) -> Duration { limiter.start(at: now) }

    /// When there may be a page, where there is none now; nil: when a result comes.
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
    ///   - isProbing: whether the hub is away: then one push finds out whether it is back, and nothing fresh while anything
    ///     waits that was begun.
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

    /// Takes what an earlier process left waiting, which is due at once.
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

    /// Takes pushes from somewhere else from now on.
    mutating func turn(to source: PushSource) {
        self.source = source
    }

    /// Reads again what waits in the ledger, unless it is being read.
    mutating func readAgain() {
        if case .waiting = source { return }
        source = .waiting(after: 0)
    }

    /// Forgets retries; they stand in the ledger, and are read again from there.
    ///
    /// - Returns: those.
    mutating func drop(where isDropped: (Attempt) -> Bool) -> [Attempt] {
        retries.removeAll(where: isDropped)
    }

    /// Forgets all retries but the first.
    ///
    /// - Returns: those.
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

/// Where pushes of a platform come from that are not in its retry queue.
enum PushSource: Hashable, Sendable {
    /// Deliveries that wait in the ledger, beyond this number.
    case waiting(after: Int)
    /// Deliveries that were never tried.
    case fresh
    /// Nowhere: all were tried whose turn it is.
    case dry
}
