import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct PageSchedulerTests {
    private func claims(_ numbers: Range<Int>) -> [Attempt] {
        numbers.map { Attempt([.fresh($0)]) }
    }

    private func found(_ numbers: Range<Int>) -> [DeliveryClaim] { numbers.map { .fresh($0) } }

    private func scheduler(
        _ platforms: [Platform] = [.apns], rate: Double? = 500, concurrency: Int = 64
    ) -> SchedulerBench {
        SchedulerBench(
            platforms: platforms, policy: DeliveryPolicy(rate: rate, concurrency: concurrency))
    }

    @Test(
        "A page contains at most half a second of sending and 4096 pushes",
        arguments: [
            (500.0, 250), (1.0, 1), (0.1, 1), (3.0, 1), (100_000.0, 4_096), (nil, 4_096),
        ] as [(Double?, Int)])
    func pageContainsAtMostHalfASecondOfSendingAnd4096Pushes(rate: Double?, size: Int) {
        #expect(scheduler(rate: rate).scheduler.pageSize == size)
    }

    @Test("The platforms take turns") func platformsTakeTurns() {
        var scheduler = scheduler([.apns, .fcm], rate: nil)
        var order: [Platform] = []
        for _ in 0..<4 {
            guard case .sendFresh(let platform, _, let limit) = scheduler.next(at: .zero) else {
                Issue.record("nothing to send")
                return
            }
            order.append(platform)
            scheduler.sent(limit, on: platform, from: .zero)
            scheduler.answered(limit, on: platform, at: .zero)
        }
        #expect(order == [.apns, .fcm, .apns, .fcm])
    }

    @Test("All platforms share one rate limit") func allPlatformsShareOneRateLimit() {
        var scheduler = scheduler([.apns, .fcm])
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 250))
        scheduler.sent(250, on: .apns, from: .zero)
        scheduler.answered(250, on: .apns, at: .zero)
        #expect(scheduler.next(at: .milliseconds(10)) == .wait(until: .milliseconds(500)))
        #expect(scheduler.next(at: .milliseconds(500)) == .sendFresh(.fcm, wave: nil, limit: 250))
    }

    @Test("One hanging push delays no others, but too many hanging pushes do")
    func oneHangingPushDelaysNoOthersButTooManyHangingPushesDo() {
        var scheduler = scheduler(rate: nil, concurrency: 8)
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 4_096))
        scheduler.sent(4_096, on: .apns, from: .zero)
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 4_096))
        scheduler.sent(4_096, on: .apns, from: .zero)
        #expect(scheduler.next(at: .zero) == .wait(until: nil))
        scheduler.answered(4_087, on: .apns, at: .zero)
        #expect(scheduler.next(at: .zero) == .wait(until: nil))
        scheduler.answered(1, on: .apns, at: .zero)
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 4_096))
    }

    @Test("Pushes left by an earlier process are sent before new ones")
    func pushesLeftByAnEarlierProcessAreSentBeforeNewOnes() {
        var scheduler = SchedulerBench(
            platforms: [.apns], policy: DeliveryPolicy(rate: nil), isRead: false)
        let all = PageScheduler.Action.read(.apns, after: 0, through: nil, limit: 4_096)
        #expect(scheduler.next(at: .zero) == all)
        scheduler.scheduler.read(found(5..<7), on: .apns)
        #expect(scheduler.next(at: .zero) == .sendAgain(.apns, claims(5..<7)))
        #expect(
            scheduler.next(at: .zero) == .read(.apns, after: 6, through: nil, limit: 4_096))
        scheduler.scheduler.read([], on: .apns)
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 4_096))
    }

    @Test("Retries and new pushes take turns") func retriesAndNewPushesTakeTurns() {
        var scheduler = scheduler([.apns, .fcm], rate: nil)
        let attempts = claims(1..<3)
        for attempt in attempts { scheduler.retry(attempt, on: .apns, due: .seconds(1)) }
        #expect(scheduler.next(at: .seconds(1)) == .sendAgain(.apns, attempts))
        scheduler.retry(attempts[0], on: .apns, due: .seconds(1))
        #expect(scheduler.next(at: .seconds(1)) == .sendFresh(.apns, wave: nil, limit: 4_096))
        #expect(scheduler.next(at: .seconds(1)) == .sendFresh(.fcm, wave: nil, limit: 4_096))
        #expect(scheduler.next(at: .seconds(1)) == .sendAgain(.apns, [attempts[0]]))
    }

    @Test("During an outage, waiting pushes are sent only one at a time")
    func duringAnOutageWaitingPushesAreSentOnlyOneAtATime() {
        var scheduler = scheduler([.apns, .fcm], rate: nil)
        let attempts = claims(1..<3)
        for attempt in attempts { scheduler.retry(attempt, on: .apns, due: .seconds(1)) }
        scheduler.retry(attempts[0], on: .fcm, due: .seconds(9))
        let early = HubAccess.probe(from: .seconds(2))
        #expect(scheduler.next(at: .seconds(1), access: early) == .wait(until: .seconds(2)))
        #expect(scheduler.next(at: .seconds(2), access: early) == .sendAgain(.apns, [attempts[0]]))
        scheduler.sent(1, on: .apns, from: .seconds(2))
        #expect(scheduler.next(at: .seconds(3), access: .closed) == .wait(until: nil))
        scheduler.answered(1, on: .apns, at: .seconds(3))
        let late = HubAccess.probe(from: .seconds(4))
        #expect(scheduler.next(at: .seconds(4), access: late) == .sendAgain(.apns, [attempts[1]]))
        scheduler.retry(attempts[1], on: .apns, due: .seconds(8))
        #expect(scheduler.next(at: .seconds(5), access: late) == .wait(until: .seconds(8)))
        #expect(scheduler.next(at: .seconds(5)) == .sendFresh(.apns, wave: nil, limit: 4_096))
    }

    @Test("A full retry queue blocks new pushes of its platform")
    func fullRetryQueueBlocksNewPushesOfItsPlatform() {
        var scheduler = scheduler([.apns, .fcm], rate: nil)
        for claim in claims(0..<(PageScheduler.mostWaiting / 2)) {
            scheduler.retry(claim, on: .apns, due: .seconds(60))
        }
        #expect(scheduler.next(at: .zero) == .sendFresh(.fcm, wave: nil, limit: 4_096))
        scheduler.ranDry(on: .fcm)
        #expect(scheduler.next(at: .zero) == .wait(until: .seconds(60)))
        guard case .sendAgain(.apns, let due) = scheduler.next(at: .seconds(60)) else {
            Issue.record("what is due goes out")
            return
        }
        #expect(due.count == 4_096)
        #expect(scheduler.next(at: .seconds(60)) == .sendFresh(.apns, wave: nil, limit: 4_096))
    }

    @Test(
        "A platform's last retries still share the connections")
    func platformsLastRetriesStillShareTheConnections() {
        var scheduler = scheduler([.apns, .fcm], rate: nil, concurrency: 8)
        scheduler.retry(claims(1..<2)[0], on: .apns, due: .zero)
        scheduler.ranDry(on: .apns)
        #expect(scheduler.next(at: .zero) == .sendAgain(.apns, claims(1..<2)))
        scheduler.sent(1, on: .apns, from: .zero)
        #expect(scheduler.scheduler.pace(of: .apns).concurrency == 4)
    }

    @Test("Sending ends only when nothing is in flight or waiting")
    func sendingEndsOnlyWhenNothingIsInFlightOrWaiting() {
        var scheduler = scheduler(rate: nil)
        scheduler.sent(1, on: .apns, from: .zero)
        scheduler.ranDry(on: .apns)
        #expect(scheduler.next(at: .zero) == .wait(until: nil))
        scheduler.retry(claims(1..<2)[0], on: .apns, due: .seconds(2))
        scheduler.answered(1, on: .apns, at: .zero)
        #expect(scheduler.next(at: .zero) == .wait(until: .seconds(2)))
        #expect(scheduler.next(at: .seconds(2)) == .sendAgain(.apns, [claims(1..<2)[0]]))
        #expect(scheduler.next(at: .seconds(2)) == .finish)
    }

    /// A seeded hub accepts, delays and throttles at random, on two platforms.
    @Test(
        "Everybody is sent to once and within the rate, whatever the responses",
        arguments: 0..<30 as Range<UInt64>)
    func everybodyIsSentToOnceAndWithinTheRateWhateverTheResponses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rates: [Double?] = [nil, 5, 50, 5_000]
        let rate = rates[Int.random(in: 0..<4, using: &generator)]
        let total = 300
        var scheduler = scheduler([.apns, .wns], rate: rate, concurrency: 16)
        var fresh: [Platform: Range<Int>] = [.apns: 1..<(total + 1), .wns: 1..<(total + 1)]
        var out: [(Platform, Attempt)] = []
        var ended: [Platform: Set<Int>] = [:]
        var now: Duration = .zero
        var sent = 0
        func send(_ attempts: [Attempt], _ platform: Platform) {
            out += attempts.map { (platform, $0) }
            sent += attempts.count
            scheduler.sent(attempts.count, on: platform, from: now)
            let isOut = out.count { $0.0 == platform }
            #expect(isOut <= 16 + 2 * scheduler.scheduler.pageSize)
            if let rate {
                let elapsed: Double = now / .seconds(1)
                let most: Double = Double(scheduler.scheduler.pageSize) + rate * elapsed + 1
                #expect(Double(sent) <= most)
            }
        }
        steps: for _ in 0..<1_000_000 {
            switch scheduler.next(at: now) {
            case .read: Issue.record("there is nothing to read")
            case .sendAgain(let platform, let attempts): send(attempts, platform)
            case .sendFresh(let platform, _, let limit):
                let left = fresh[platform] ?? 0..<0
                if left.isEmpty { scheduler.ranDry(on: platform) }
                fresh[platform] = left.dropFirst(limit)
                if !left.isEmpty { send(claims(left.prefix(limit)), platform) }
            case .wait(let time):
                let answers = out.isEmpty ? 0 : Int.random(in: 0...out.count, using: &generator)
                if answers == 0, let time { now = max(now, time) }
                for _ in 0..<answers {
                    let index = Int.random(in: 0..<out.count, using: &generator)
                    let (platform, attempt) = out.remove(at: index)
                    scheduler.answered(1, on: platform, at: .zero)
                    if Int.random(in: 0..<3, using: &generator) == 0 {
                        let wait = Duration.milliseconds(
                            Int.random(in: 0...5_000, using: &generator))
                        scheduler.retry(attempt, on: platform, due: now + wait)
                    } else {
                        let isFirst = ended[platform, default: []].insert(attempt.claims[0].number)
                            .inserted
                        #expect(isFirst)
                    }
                }
            case .finish:
                break steps
            }
        }
        #expect(ended[.apns]?.count == total)
        #expect(ended[.wns]?.count == total)
    }
}

/// A scheduler with the pushes in flight.
struct SchedulerBench {
    var scheduler: PageScheduler
    private var out = InFlight()
    private var pushes: [(platform: Platform, page: Int, number: Int)] = []

    /// - Parameter isRead: whether all waiting deliveries have already been read.
    init(
        platforms: [Platform], policy: DeliveryPolicy, isShared: Bool = false, isRead: Bool = true
    ) {
        scheduler = PageScheduler(platforms: platforms, policy: policy, isShared: isShared)
        guard isRead else { return }
        for platform in platforms {
            _ = scheduler.next(at: .zero, besides: out)
            scheduler.read([], on: platform)
        }
    }

    mutating func next(at now: Duration, access: HubAccess = .open) -> PageScheduler.Action {
        scheduler.next(at: now, access: access, besides: out)
    }

    mutating func sent(_ count: Int, on platform: Platform, from start: Duration) {
        scheduler.sent(count, on: platform, from: start)
        let attempts = (0..<count).map { Attempt([.fresh($0)]) }
        let page = out.add(attempts[...], on: platform, from: start)
        pushes += (0..<count).map { (platform, page, $0) }
    }

    /// Answers the pushes that were sent first.
    mutating func answered(_ count: Int, on platform: Platform, at now: Duration) {
        scheduler.answered(count, on: platform, at: now)
        var left = count
        pushes.removeAll { push in
            guard left > 0, push.platform == platform else { return false }
            left -= 1
            _ = out.take([PushResult(number: push.number, disposition: .accepted)], of: push.page)
            return true
        }
    }

    mutating func retry(_ attempt: Attempt, on platform: Platform, due: Duration) {
        let isKept = scheduler.retry(attempt, on: platform, due: due)
        #expect(isKept)
    }

    mutating func ranDry(on platform: Platform) {
        scheduler.waves.ranDry(nil, on: platform)
    }
}
