import CampaignCore

/// Decides which page goes out next, and when: rate, fairness between platforms, retries, and the bound on what is out.
///
/// A pure machine: it says what to do, is told what came of it, and knows the time only from its caller.
struct PageScheduler: Sendable {
    enum Action: Hashable, Sendable {
        /// Read what an earlier process left waiting, and report with ``scanned(_:on:)``.
        case scan(Platform, after: Int, limit: Int)
        /// Claim these again, send them, and report with ``sent(_:from:)``.
        case sendAgain(Platform, [Attempt])
        /// Claim fresh ones, send them, and report with ``sent(_:from:)``, or with ``ranDry(_:)`` when there are none.
        case sendFresh(Platform, limit: Int)
        /// Nothing until that time, or until a result comes.
        case wait(until: Duration?)
        /// Every delivery has an outcome.
        case finish
    }

    /// A page holds this much sending at the most.
    ///
    /// The contract allows a second; half of one halves what a crash leaves
    /// uncertain, and costs two small transactions more.
    static let pageSpan: Duration = .milliseconds(500)
    /// The size of a page when the rate is unlimited.
    static let unlimitedPageSize = 1_024
    /// Pushes that may wait for a retry in memory, over all platforms.
    static let mostWaiting = 20_000

    let pageSize: Int
    /// A page may go out when no more pushes than this are without a result: one page is then prepared ahead.
    let allowance: Int
    private var limiter: RateLimiter
    private var lanes: [PlatformLane]
    private var turn = 0
    private var unanswered = 0

    /// - Parameters:
    ///   - platforms: each has deliveries.
    ///   - policy: rate and concurrency.
    init(platforms: [Platform], policy: DeliveryPolicy) {
        let perSpan = policy.rate.map { $0 * (Self.pageSpan / .seconds(1)) }
        let wanted = perSpan.map { Int(min($0, Double(PushPage.maximumCount))) }
        self.pageSize = max(1, wanted ?? Self.unlimitedPageSize)
        self.allowance = policy.concurrency + pageSize
        self.limiter = RateLimiter(rate: policy.rate)
        let capacity = Self.mostWaiting / max(1, platforms.count)
        self.lanes = platforms.map { PlatformLane(platform: $0, capacity: capacity) }
    }

    /// The least time between two requests of a page.
    var interval: Duration? { limiter.interval }

    /// What to do now.
    mutating func next(at now: Duration) -> Action {
        for lane in lanes {
            guard let number = lane.scanStart(at: now) else { continue }
            return .scan(lane.platform, after: number, limit: pageSize)
        }
        guard unanswered <= allowance else { return .wait(until: nil) }
        let start = limiter.start(at: now)
        guard start <= now else { return .wait(until: start) }
        for offset in lanes.indices {
            let index = (turn + offset) % lanes.count
            guard let page = lanes[index].nextPage(at: now, size: pageSize) else { continue }
            turn = lanes[index].keepsTurn ? index : (index + 1) % lanes.count
            switch page {
            case .again(let attempts): return .sendAgain(lanes[index].platform, attempts)
            case .fresh(let limit): return .sendFresh(lanes[index].platform, limit: limit)
            }
        }
        if let due = lanes.compactMap(\.retries.firstDue).min() { return .wait(until: due) }
        return unanswered > 0 ? .wait(until: nil) : .finish
    }

    /// Takes what was read, which is due at once; nothing means that all was read.
    mutating func scanned(_ claims: [DeliveryClaim], on platform: Platform) {
        update(platform) { lane in
            guard let last = claims.last else {
                lane.source = .fresh
                return
            }
            lane.source = .waiting(after: last.number)
            for claim in claims { lane.retries.add(Attempt(claim), due: .zero) }
        }
    }

    /// A platform has nothing left that was never tried.
    mutating func ranDry(_ platform: Platform) {
        update(platform) { $0.source = .dry }
    }

    /// A page went out.
    ///
    /// - Parameters:
    ///   - count: its pushes.
    ///   - start: when it was claimed.
    mutating func sent(_ count: Int, from start: Duration) {
        limiter.take(count, from: start)
        unanswered += count
    }

    /// Pushes have their results.
    mutating func answered(_ count: Int) {
        unanswered -= count
    }

    /// Lets a push wait for its next try.
    mutating func retry(_ attempt: Attempt, on platform: Platform, due: Duration) {
        update(platform) { $0.retries.add(attempt, due: due) }
    }

    private mutating func update(_ platform: Platform, _ change: (inout PlatformLane) -> Void) {
        guard let index = lanes.firstIndex(where: { $0.platform == platform }) else { return }
        change(&lanes[index])
    }
}
