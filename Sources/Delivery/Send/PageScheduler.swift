import CampaignCore

/// Decides what to claim, which page to send next, and when, based on waves, rate, fairness,
/// retries and the limit on pushes in flight.
///
/// A pure state machine: the caller passes results and the time. Sizes are in pushes; a push is one
/// request, even if several people share it.
struct PageScheduler: Sendable {
    enum Action: Hashable, Sendable {
        /// Read deliveries that wait for another try, then call ``read(_:on:)``.
        case read(Platform, after: Int, through: Int?, limit: Int)
        /// Claim these deliveries again and send them, then call ``sent(_:on:from:)``.
        case sendAgain(Platform, [Attempt])
        /// Claim new deliveries and send them, then call ``sent(_:on:from:)`` or
        /// ``WaveProgress/ranDry(_:on:)``.
        case sendFresh(Platform, wave: Int?, limit: Int)
        /// Wait until that time or an event; nil means until an event.
        case wait(until: Duration?)
        case finish
    }

    /// The maximum time that sending a page may take.
    ///
    /// Half a second limits how many pushes a crash leaves uncertain. Compared with one second,
    /// this costs two more small transactions per second.
    static let pageSpan: Duration = .milliseconds(500)
    /// The maximum number of recipients of a page, even if many share a push.
    static let mostRecipients = 20_480
    /// The maximum number of retries in memory, for all platforms together.
    static let mostWaiting = 20_000

    var waves: WaveProgress
    private let mostPushes: Int
    /// Limits pages to what this process can send soon; nil if no other process works on the run.
    private var ability: SendingAbility?
    private let policy: DeliveryPolicy
    /// The limit for `on_unknown: hold`.
    private let claimLimit: ClaimLimit?
    private var rate: Double?
    private var limiter: RateLimiter
    private var lanes: [PlatformLane]
    private var turn = 0

    /// Under `hold`, only a few deliveries are claimed, because all claimed ones become `unknown`
    /// if the process is killed.
    ///
    /// If other processes also work on the run (`isShared`), pages are small enough to leave work
    /// for them.
    init(
        platforms: [Platform], policy: DeliveryPolicy, onUnknown: UnknownPolicy = .resend,
        isShared: Bool = false, waves: [RunWave] = [], at instant: Int = 0
    ) {
        self.waves = WaveProgress(waves, platforms: platforms, at: instant)
        self.mostPushes = min(
            PushPage.maximumCount, Self.mostRecipients / policy.recipientsPerPush)
        self.rate = policy.rate
        self.ability = isShared ? SendingAbility(concurrency: policy.concurrency) : nil
        self.policy = policy
        self.claimLimit = onUnknown == .hold ? ClaimLimit(policy) : nil
        self.limiter = RateLimiter(rate: policy.rate)
        let capacity = max(1, Self.mostWaiting / policy.recipientsPerPush / max(1, platforms.count))
        self.lanes = platforms.map {
            PlatformLane(platform: $0, capacity: capacity, ceiling: policy.rate)
        }
    }

    var pageSize: Int {
        let timely = RateLimiter.pushes(at: rate, in: Self.pageSpan, most: mostPushes)
        return min(timely, ability?.pushes ?? .max)
    }

    /// Changes the rate; pages in flight keep the old rate.
    ///
    /// - Parameter rate: requests per second; nil means unlimited.
    mutating func keep(to rate: Double?) {
        guard rate != self.rate else { return }
        self.rate = rate
        limiter.interval = rate.flatMap { $0 > 0 ? .seconds(1) / $0 : nil }
        for index in lanes.indices { lanes[index].rate.ceiling = rate }
    }

    var traffic: [Platform: PlatformTraffic] {
        lanes.reduce(into: [:]) { $0[$1.platform] = $1.traffic }
    }

    mutating func others(_ traffic: [Platform: PlatformTraffic], at now: Duration) {
        for (platform, traffic) in traffic { update(platform) { $0.rate.others(traffic, at: now) } }
    }

    /// How many requests of one platform may be in flight: the run's limit, divided among its
    /// unfinished platforms.
    private var concurrencyPerPlatform: Int { max(1, policy.concurrency / unfinished) }

    private var unfinished: Int { max(1, lanes.count { !$0.isDone }) }

    /// How many pushes of a platform may be in flight when its next page is sent.
    ///
    /// This leaves room to prepare one page ahead.
    private var unansweredLimit: Int { concurrencyPerPlatform + pageSize }

    /// The minimum times between requests (``CampaignCore/PushPage``), and the requests in flight.
    func pace(
        of platform: Platform
    ) -> (interval: Duration?, platformInterval: Duration?, concurrency: Int) {
        let lane = lanes.first { $0.platform == platform }
        return (limiter.interval, lane?.rate.interval, concurrencyPerPlatform)
    }

    // MARK: Waves

    /// Advances to an instant, in seconds since 1970; returns nil if no wave closed.
    ///
    /// Otherwise, pushes that ``WaveProgress/maySend(_:)`` forbids must be cancelled, and the
    /// returned retries exist only in the ledger from then on.
    mutating func advance(to instant: Int) -> [Platform: [Attempt]]? {
        guard waves.advance(to: instant) else { return nil }
        return drop { [waves] retries in retries.removeAll { !waves.maySend($0.number) } }
    }

    // MARK: Deciding

    /// Decides the next step; call again when it is done.
    ///
    /// - Parameter access: while the hub is away, one push at a time probes whether it is back.
    mutating func next(
        at now: Duration, access: HubAccess = .open, besides out: InFlight
    ) -> Action {
        for index in lanes.indices {
            let platform = lanes[index].platform
            lanes[index].update(waves.source(on: platform, besides: out), out.left(on: platform))
        }
        for lane in lanes {
            guard case .waiting(let number, let last) = lane.source, lane.mayRead(at: now) else {
                continue
            }
            return .read(lane.platform, after: number, through: last, limit: pageSize)
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
        for offset in lanes.indices {
            let index = (turn + offset) % lanes.count
            guard lanes[index].unanswered.pushes <= unansweredLimit,
                lanes[index].start(at: now) <= now
            else { continue }
            let room = room(of: lanes[index])
            guard room > 0 else { continue }
            let size = lanes[index].pageSize(at: now, most: min(pageSize, room))
            guard let action = lanes[index].nextPage(at: now, size: size, isProbing: isProbing)
            else { continue }
            turn = lanes[index].keepsTurn ? index : (index + 1) % lanes.count
            return action
        }
        return .wait(until: lanes.compactMap { wakeUp(of: $0, at: now, isProbing) }.min())
    }

    /// How many pushes of a lane may be claimed now, whatever its rate.
    private func room(of lane: PlatformLane) -> Int {
        guard let claimLimit else { return .max }
        return claimLimit.room(
            own: lane.unanswered.recipients,
            all: lanes.reduce(0) { $0 + $1.unanswered.recipients }, platforms: unfinished,
            at: rate)
    }

    /// When an idle lane may send again; nil if it must wait for a result.
    private func wakeUp(
        of lane: PlatformLane, at now: Duration, _ isProbing: Bool
    ) -> Duration? {
        guard lane.unanswered.pushes <= unansweredLimit, room(of: lane) > 0 else { return nil }
        return lane.nextPage(after: now, isProbing: isProbing)
    }

    // MARK: Events

    /// Adds deliveries that were read from the ledger, ordered by number; they are due immediately.
    mutating func read(_ claims: [DeliveryClaim], on platform: Platform) {
        let own = waves.read(claims, on: platform)
        for attempt in Attempt.pushes(of: own, sharedBy: policy.recipientsPerPush) {
            update(platform) { $0.retry(attempt, due: .zero) }
        }
    }

    /// Drops and returns all retries except the first of each platform; they remain in the ledger.
    mutating func dropAllButOne() -> [Platform: [Attempt]] {
        drop { $0.removeAllButFirst() }
    }

    private mutating func drop(
        _ remove: (inout RetryQueue<Attempt>) -> [Attempt]
    ) -> [Platform: [Attempt]] {
        var dropped: [Platform: [Attempt]] = [:]
        for index in lanes.indices {
            let attempts = remove(&lanes[index].retries)
            if !attempts.isEmpty { dropped[lanes[index].platform] = attempts }
        }
        return dropped
    }

    /// Stops sending to a platform; returns its retries, which remain in the ledger.
    mutating func hold(_ platform: Platform) -> [Attempt] {
        var forgotten: [Attempt] = []
        update(platform) { forgotten = $0.hold() }
        return forgotten
    }

    mutating func sent(_ count: Int, on platform: Platform, from start: Duration) {
        limiter.take(count, from: start)
        update(platform) { $0.sent(count, from: start) }
    }

    /// Takes note of answers.
    ///
    /// Call after the results are recorded and before ``next(at:access:besides:)``.
    ///
    /// - Parameter throttled: how many of the answers were throttled.
    mutating func answered(
        _ count: Int, throttled: Int = 0, on platform: Platform, at now: Duration
    ) {
        ability?.answered(count, at: now)
        update(platform) { $0.answered(count, throttled: throttled, at: now) }
    }

    /// Returns false if the push will be read from the ledger instead, with its wave.
    mutating func retry(_ attempt: Attempt, on platform: Platform, due: Duration) -> Bool {
        guard waves.keepsRetry(attempt.number, on: platform) else { return false }
        update(platform) { $0.retry(attempt, due: due) }
        return true
    }

    private mutating func update(_ platform: Platform, _ change: (inout PlatformLane) -> Void) {
        guard let index = lanes.firstIndex(where: { $0.platform == platform }) else { return }
        change(&lanes[index])
    }
}

/// How much a process can send, judging by its recent answers.
struct SendingAbility: Hashable, Sendable {
    private static let window: Duration = .milliseconds(500)

    /// Enough pushes to keep all connections busy while the next ones are claimed.
    private let least: Int
    /// How many pushes the process sends in the time of a page.
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
