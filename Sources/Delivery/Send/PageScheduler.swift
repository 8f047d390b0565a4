import CampaignCore

/// Decides which page goes out next, and when: rate, fairness between platforms, retries, and the bound on what is out.
///
/// A pure machine: it says what to do, is told the result, and knows the time only from its caller. Sizes count
/// pushes; each is one request, however many people share it.
struct PageScheduler: Sendable {
    enum Action: Hashable, Sendable {
        /// Read what an earlier process left waiting, and report with ``scanned(_:upTo:on:)``.
        case scan(Platform, after: Int, limit: Int)
        /// Claim these again, send them, and report with ``sent(_:on:from:)``.
        case sendAgain(Platform, [Attempt])
        /// Claim fresh ones, send them, and report with ``sent(_:on:from:)``, or with ``ranDry(_:)`` when there are none.
        case sendFresh(Platform, limit: Int)
        /// Do nothing until that time, or until something happens before it; nil: until something happens.
        case wait(until: Duration?)
        /// Every delivery whose turn it is has an outcome.
        case finish
    }

    /// A page holds this much sending at most.
    ///
    /// The contract allows a second. Half a second halves what a crash leaves uncertain, for two more small transactions a second.
    static let pageSpan: Duration = .milliseconds(500)
    /// The most recipients of a page, however many of them share a push.
    static let mostRecipients = 20_480
    /// Deliveries that may wait for a retry in memory, over all platforms.
    static let mostWaiting = 20_000

    private var sizeAtRate: Int
    private let mostPushes: Int
    /// Bounds pages by what this process can send soon; nil: nobody else works on the run.
    private var ability: SendingAbility?
    private let concurrency: Int
    /// Applies under `on_unknown: hold`; nil: only ``unansweredLimit`` does.
    private var claimLimit: ClaimLimit?
    private var rate: Double?
    private var limiter: RateLimiter
    private var lanes: [PlatformLane]
    private var turn = 0

    /// - Parameters:
    ///   - platforms: each has deliveries.
    ///   - policy: rate and concurrency.
    ///   - onUnknown: what becomes of a push whose result is lost. Under `hold`, a kill makes all claimed deliveries `unknown`, so
    ///     that only few are claimed at a time.
    ///   - isShared: whether other processes work on the run too. Pages are then no larger than what is sent soon, so that the
    ///     others find something to send.
    init(
        platforms: [Platform], policy: DeliveryPolicy, onUnknown: UnknownPolicy = .resend,
        isShared: Bool = false
    ) {
        let most = min(PushPage.maximumCount, Self.mostRecipients / policy.recipientsPerPush)
        self.mostPushes = most
        self.rate = policy.rate
        self.sizeAtRate = Self.pageSize(at: policy.rate, most: most)
        self.ability = isShared ? SendingAbility(concurrency: policy.concurrency) : nil
        self.concurrency = policy.concurrency
        self.claimLimit = onUnknown == .hold ? ClaimLimit(policy) : nil
        self.limiter = RateLimiter(rate: policy.rate)
        let capacity = max(1, Self.mostWaiting / policy.recipientsPerPush / max(1, platforms.count))
        self.lanes = platforms.map {
            PlatformLane(platform: $0, capacity: capacity, ceiling: policy.rate)
        }
    }

    /// The most pushes of a page.
    var pageSize: Int { min(sizeAtRate, ability?.pushes ?? .max) }

    private static func pageSize(at rate: Double?, most: Int) -> Int {
        let perSpan = rate.map { $0 * (pageSpan / .seconds(1)) }
        return max(1, perSpan.map { Int(min($0 + RateLimiter.rounding, Double(most))) } ?? most)
    }

    /// Keeps to another rate from now on; pages that are out keep the rate that they were given.
    ///
    /// - Parameter rate: requests a second, 0 for none; nil: unlimited.
    mutating func keep(to rate: Double?) {
        guard rate != self.rate else { return }
        self.rate = rate
        sizeAtRate = Self.pageSize(at: rate, most: mostPushes)
        limiter.interval = rate.flatMap { $0 > 0 ? .seconds(1) / $0 : nil }
        claimLimit?.keep(to: rate)
        for index in lanes.indices { lanes[index].keep(below: rate) }
    }

    /// What came back from the hub so far, by platform.
    var traffic: [Platform: PlatformTraffic] {
        lanes.reduce(into: [:]) { $0[$1.platform] = $1.traffic }
    }

    /// Other processes that work on the run have had answers.
    mutating func others(_ traffic: [Platform: PlatformTraffic], at now: Duration) {
        for (platform, traffic) in traffic { update(platform) { $0.others(traffic, at: now) } }
    }

    /// The least time between two requests of a page.
    var interval: Duration? { limiter.interval }

    /// Requests of one platform in flight at once: an even share for each that has something left to send.
    var share: Int { max(1, concurrency / max(1, lanes.count { !$0.isDone })) }

    /// How many pushes of a platform may wait for an answer when its next page goes out.
    ///
    /// Above its share in flight, there is room to prepare one page ahead.
    private var unansweredLimit: Int { share + pageSize }

    /// What a platform is allowed now.
    func pace(of platform: Platform) -> PlatformPace {
        let lane = lanes.first { $0.platform == platform }
        return PlatformPace(interval: lane?.interval, concurrency: share)
    }

    /// Decides what to do now.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - access: what may go out. While the hub is away, that is one push at a time, to find out whether it is back.
    /// - Returns: one step; ask again after it is done.
    mutating func next(at now: Duration, access: HubAccess = .open) -> Action {
        for lane in lanes {
            guard let number = lane.scanStart(at: now) else { continue }
            return .scan(lane.platform, after: number, limit: pageSize)
        }
        if lanes.allSatisfy(\.isDone) { return .finish }
        if rate == 0 { return .wait(until: nil) }
        var start = limiter.start(at: now)
        switch access {
        case .open: break
        case .probe(let time): start = max(start, time)
        case .closed: return .wait(until: nil)
        }
        guard start <= now else { return .wait(until: start) }
        let isProbing = access != .open
        let unansweredLimit = unansweredLimit
        for offset in lanes.indices {
            let index = (turn + offset) % lanes.count
            guard lanes[index].unanswered <= unansweredLimit, lanes[index].start(at: now) <= now
            else {
                continue
            }
            let room = room(of: lanes[index])
            guard room > 0 else { continue }
            let size = lanes[index].pageSize(at: now, most: min(pageSize, room))
            guard let page = lanes[index].nextPage(at: now, size: size, isProbing: isProbing)
            else { continue }
            turn = lanes[index].keepsTurn ? index : (index + 1) % lanes.count
            switch page {
            case .again(let attempts): return .sendAgain(lanes[index].platform, attempts)
            case .fresh(let limit): return .sendFresh(lanes[index].platform, limit: limit)
            }
        }
        return .wait(until: lanes.compactMap { wakeUp(of: $0, at: now, isProbing) }.min())
    }

    /// How many pushes of a lane may be claimed now, whatever its rate.
    private func room(of lane: PlatformLane) -> Int {
        guard let claimLimit else { return .max }
        return claimLimit.room(
            own: lane.unansweredRecipients, all: lanes.reduce(0) { $0 + $1.unansweredRecipients },
            platforms: max(1, lanes.count { !$0.isDone }))
    }

    /// When a lane that can send nothing now may be able to; nil: not before a result comes.
    private func wakeUp(
        of lane: PlatformLane, at now: Duration, _ isProbing: Bool
    ) -> Duration? {
        guard lane.unanswered <= unansweredLimit, room(of: lane) > 0 else { return nil }
        return lane.nextPage(after: now, isProbing: isProbing)
    }

    /// Takes pushes that were read from the ledger; they are due at once.
    ///
    /// - Parameters:
    ///   - attempts: the pushes.
    ///   - last: the last delivery's number; nil: all was read.
    ///   - platform: whose they are.
    mutating func scanned(_ attempts: [Attempt], upTo last: Int?, on platform: Platform) {
        update(platform) { $0.scanned(attempts, upTo: last) }
    }

    /// A platform has nothing left that was never tried.
    mutating func ranDry(_ platform: Platform) {
        update(platform) { $0.ranDry() }
    }

    /// Takes a platform's pushes from another source from now on, because the turn of other people has come.
    mutating func turn(_ platform: Platform, to source: PushSource) {
        update(platform) { $0.turn(to: source) }
    }

    /// Reads again what waits in the ledger.
    mutating func readAgain() {
        for index in lanes.indices { lanes[index].readAgain() }
    }

    /// Forgets retries; they stand in the ledger, and are read again from there.
    ///
    /// - Returns: the forgotten ones, by platform.
    mutating func drop(where isDropped: (Attempt) -> Bool) -> [Platform: [Attempt]] {
        var dropped: [Platform: [Attempt]] = [:]
        for index in lanes.indices {
            let attempts = lanes[index].drop(where: isDropped)
            if !attempts.isEmpty { dropped[lanes[index].platform] = attempts }
        }
        return dropped
    }

    /// Forgets all retries but the first of each platform.
    ///
    /// - Returns: the forgotten ones, by platform.
    mutating func dropAllButOne() -> [Platform: [Attempt]] {
        var dropped: [Platform: [Attempt]] = [:]
        for index in lanes.indices {
            let attempts = lanes[index].dropAllButOne()
            if !attempts.isEmpty { dropped[lanes[index].platform] = attempts }
        }
        return dropped
    }

    /// Gives nothing of a platform out from now on.
    ///
    /// - Returns: the forgotten retries, which stand in the ledger.
    mutating func hold(_ platform: Platform) -> [Attempt] {
        var forgotten: [Attempt] = []
        update(platform) { forgotten = $0.hold() }
        return forgotten
    }

    /// A page went out.
    ///
    /// - Parameters:
    ///   - count: its pushes.
    ///   - recipients: who shares them; nil: each is one person's.
    ///   - platform: where to.
    ///   - start: when it was claimed.
    mutating func sent(
        _ count: Int, to recipients: Int? = nil, on platform: Platform, from start: Duration
    ) {
        limiter.take(count, from: start)
        update(platform) { $0.sent(count, to: recipients ?? count, from: start) }
    }

    /// Pushes have their results, which are written down before ``next(at:access:)`` is asked again.
    mutating func answered(
        _ count: Int, of recipients: Int? = nil, on platform: Platform, at now: Duration
    ) {
        ability?.answered(count, at: now)
        update(platform) { $0.answered(count, of: recipients ?? count, at: now) }
    }

    /// The hub asked for patience.
    mutating func throttled(_ platform: Platform, at now: Duration) {
        update(platform) { $0.throttled(at: now) }
    }

    /// Lets a push wait for its next try.
    mutating func retry(_ attempt: Attempt, on platform: Platform, due: Duration) {
        update(platform) { $0.retry(attempt, due: due) }
    }

    private mutating func update(_ platform: Platform, _ change: (inout PlatformLane) -> Void) {
        guard let index = lanes.firstIndex(where: { $0.platform == platform }) else { return }
        change(&lanes[index])
    }
}

/// How fast one platform may be sent to for the time of a page.
struct PlatformPace: Hashable, Sendable {
    /// The least time between two requests; nil: no more than the run's own.
    var interval: Duration?
    /// Requests in flight at once, at least 1.
    var concurrency: Int
}

/// How much one process sends, by what it has sent lately.
struct SendingAbility: Hashable, Sendable {
    /// Answers are counted over this time.
    private static let window: Duration = .milliseconds(500)

    /// So many pushes keep all connections at work while the next ones are claimed.
    private let least: Int
    /// What it sends in the time of a page, as far as that is known.
    private(set) var pushes: Int
    private var start: Duration = .zero
    private var answers = 0

    /// - Parameter concurrency: requests in flight at once.
    init(concurrency: Int) {
        least = 2 * concurrency
        pushes = least
    }

    /// Answers came.
    mutating func answered(_ count: Int, at now: Duration) {
        if now - start >= Self.window {
            let windows = (now - start) / Self.window
            pushes = max(least, Int(Double(answers) / windows))
            start = now
            answers = 0
        }
        answers += count
    }
}
