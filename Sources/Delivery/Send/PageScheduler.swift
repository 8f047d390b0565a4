import CampaignCore

/// Decides which page goes out next, and when: rate, fairness, retries, and how much may be out.
///
/// A pure machine: it is told results and the time. Sizes count pushes; each is one request,
/// however many people share it.
struct PageScheduler: Sendable {
    enum Action: Hashable, Sendable {
        /// Read what an earlier process left waiting, then call ``scanned(_:upTo:on:)``.
        case scan(Platform, after: Int, limit: Int)
        /// Claim these again and send them, then call ``sent(_:on:from:)``.
        case sendAgain(Platform, [Attempt])
        /// Claim fresh ones and send them, then call ``sent(_:on:from:)`` or ``ranDry(_:)``.
        case sendFresh(Platform, limit: Int)
        /// Wait until that time or an event; nil: until an event.
        case wait(until: Duration?)
        case finish
    }

    /// The most sending that a page holds.
    ///
    /// Half a second limits what a crash leaves uncertain, at the cost of two small transactions a
    /// second more than pages of a second.
    static let pageSpan: Duration = .milliseconds(500)
    /// The most recipients of a page, also if many share a push.
    static let mostRecipients = 20_480
    /// Over all platforms.
    static let mostWaiting = 20_000

    private var sizeAtRate: Int
    private let mostPushes: Int
    /// Bounds pages by what this process can send soon; nil: nobody else works on the run.
    private var ability: SendingAbility?
    private let concurrency: Int
    /// Applies under `on_unknown: hold`.
    private var claimLimit: ClaimLimit?
    private var rate: Double?
    private var limiter: RateLimiter
    private var lanes: [PlatformLane]
    private var turn = 0

    /// Under `hold`, only few are claimed, since a kill makes all claimed deliveries `unknown`; if
    /// others work on the run too (`isShared`), pages are small enough to leave work for them.
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

    var pageSize: Int { min(sizeAtRate, ability?.pushes ?? .max) }

    private static func pageSize(at rate: Double?, most: Int) -> Int {
        let perSpan = rate.map { $0 * (pageSpan / .seconds(1)) }
        return max(1, perSpan.map { Int(min($0 + RateLimiter.rounding, Double(most))) } ?? most)
    }

    /// Changes the rate; pages that are out keep theirs.
    ///
    /// - Parameter rate: requests a second; nil: unlimited.
    mutating func keep(to rate: Double?) {
        guard rate != self.rate else { return }
        self.rate = rate
        sizeAtRate = Self.pageSize(at: rate, most: mostPushes)
        limiter.interval = rate.flatMap { $0 > 0 ? .seconds(1) / $0 : nil }
        claimLimit?.keep(to: rate)
        for index in lanes.indices { lanes[index].keep(below: rate) }
    }

    var traffic: [Platform: PlatformTraffic] {
        lanes.reduce(into: [:]) { $0[$1.platform] = $1.traffic }
    }

    mutating func others(_ traffic: [Platform: PlatformTraffic], at now: Duration) {
        for (platform, traffic) in traffic { update(platform) { $0.others(traffic, at: now) } }
    }

    var interval: Duration? { limiter.interval }

    /// Requests of one platform in flight: an even share for each unfinished platform.
    var share: Int { max(1, concurrency / max(1, lanes.count { !$0.isDone })) }

    /// How many pushes of a platform may be out when its next page goes out.
    ///
    /// Leaves room to prepare one page ahead.
    private var unansweredLimit: Int { share + pageSize }

    func pace(of platform: Platform) -> PlatformPace {
        let lane = lanes.first { $0.platform == platform }
        return PlatformPace(interval: lane?.interval, concurrency: share)
    }

    /// Decides the next step; ask again after it is done.
    ///
    /// - Parameter access: while the hub is away, one push at a time finds out whether it is back.
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
            else { continue }
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

    /// When an idle lane may send again; nil: not before a result comes.
    private func wakeUp(
        of lane: PlatformLane, at now: Duration, _ isProbing: Bool
    ) -> Duration? {
        guard lane.unanswered <= unansweredLimit, room(of: lane) > 0 else { return nil }
        return lane.nextPage(after: now, isProbing: isProbing)
    }

    /// Takes pushes read from the ledger, due at once.
    ///
    /// - Parameter last: the last delivery's number; nil: all was read.
    mutating func scanned(_ attempts: [Attempt], upTo last: Int?, on platform: Platform) {
        update(platform) { $0.scanned(attempts, upTo: last) }
    }

    mutating func ranDry(_ platform: Platform) {
        update(platform) { $0.ranDry() }
    }

    /// Switches a platform's source because other people's turn has come.
    mutating func turn(_ platform: Platform, to source: PushSource) {
        update(platform) { $0.turn(to: source) }
    }

    mutating func readAgain() {
        for index in lanes.indices { lanes[index].readAgain() }
    }

    /// Drops retries from memory and returns them; the ledger keeps them.
    mutating func drop(where isDropped: (Attempt) -> Bool) -> [Platform: [Attempt]] {
        var dropped: [Platform: [Attempt]] = [:]
        for index in lanes.indices {
            let attempts = lanes[index].drop(where: isDropped)
            if !attempts.isEmpty { dropped[lanes[index].platform] = attempts }
        }
        return dropped
    }

    /// Drops all retries but the first of each platform, and returns them.
    mutating func dropAllButOne() -> [Platform: [Attempt]] {
        var dropped: [Platform: [Attempt]] = [:]
        for index in lanes.indices {
            let attempts = lanes[index].dropAllButOne()
            if !attempts.isEmpty { dropped[lanes[index].platform] = attempts }
        }
        return dropped
    }

    /// Stops sending to a platform; returns its retries, which the ledger keeps.
    mutating func hold(_ platform: Platform) -> [Attempt] {
        var forgotten: [Attempt] = []
        update(platform) { forgotten = $0.hold() }
        return forgotten
    }

    /// - Parameter recipients: how many share the pushes; nil: one person each.
    mutating func sent(
        _ count: Int, to recipients: Int? = nil, on platform: Platform, from start: Duration
    ) {
        limiter.take(count, from: start)
        update(platform) { $0.sent(count, to: recipients ?? count, from: start) }
    }

    /// Call after the results are recorded and before ``next(at:access:)``.
    mutating func answered(
        _ count: Int, of recipients: Int? = nil, on platform: Platform, at now: Duration
    ) {
        ability?.answered(count, at: now)
        update(platform) { $0.answered(count, of: recipients ?? count, at: now) }
    }

    mutating func throttled(_ platform: Platform, at now: Duration) {
        update(platform) { $0.throttled(at: now) }
    }

    mutating func retry(_ attempt: Attempt, on platform: Platform, due: Duration) {
        update(platform) { $0.retry(attempt, due: due) }
    }

    private mutating func update(_ platform: Platform, _ change: (inout PlatformLane) -> Void) {
        guard let index = lanes.firstIndex(where: { $0.platform == platform }) else { return }
        change(&lanes[index])
    }
}

struct PlatformPace: Hashable, Sendable {
    /// The least time between two requests; nil: the run's own.
    var interval: Duration?
    /// Requests in flight, at least 1.
    var concurrency: Int
}

/// How much one process can send, judged by what it sent lately.
struct SendingAbility: Hashable, Sendable {
    private static let window: Duration = .milliseconds(500)

    /// Enough pushes to keep all connections busy while the next ones are claimed.
    private let least: Int
    /// What it sends in the time of a page.
    private(set) var pushes: Int
    private var start: Duration = .zero
    private var answers = 0

    init(concurrency: Int) {
        least = 2 * concurrency
        pushes = least
    }

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
