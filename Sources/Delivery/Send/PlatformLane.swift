import CampaignCore

/// What one platform has left to send, and how fast it may.
struct PlatformLane: Sendable {
    /// Where pushes come from that are not in the retry queue.
    enum Source: Hashable, Sendable {
        /// Deliveries that an earlier process left waiting, beyond this number.
        case waiting(after: Int)
        /// Deliveries that were never tried.
        case fresh
        /// Nowhere: all were tried.
        case dry
    }

    /// The next page.
    enum Page: Hashable, Sendable {
        case again([Attempt])
        case fresh(limit: Int)
    }

    let platform: Platform
    /// Pushes that may wait in memory before no new ones are begun.
    let capacity: Int
    var source = Source.waiting(after: 0)
    var retries = RetryQueue<Attempt>()
    /// Pushes that are out.
    private(set) var unanswered = 0
    /// The people whom these go to.
    private(set) var unansweredRecipients = 0
    var rate: AdaptiveRate
    private var limiter = RateLimiter(rate: nil)
    private var hadRetries = false

    init(platform: Platform, capacity: Int, ceiling: Double?) {
        self.platform = platform
        self.capacity = capacity
        self.rate = AdaptiveRate(ceiling: ceiling)
    }

    var hasRoom: Bool { retries.count < capacity }

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
    ///   - size: its pushes at the most.
    ///   - isProbing: whether the hub is away: then one push finds out whether it is back, and nothing fresh while anything waits that was begun.
    /// - Returns: the page.
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
        unanswered -= count
        unansweredRecipients -= recipients
    }

    /// The hub asked for patience.
    mutating func throttled(at now: Duration) {
        rate.throttled(at: now)
    }
}
