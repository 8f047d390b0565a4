import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct OthersAtTheHubTests {
    private func lowered() -> AdaptiveRate {
        var rate = AdaptiveRate(ceiling: 400)
        rate.answered(100, at: .milliseconds(240))
        for _ in 0..<100 { rate.throttled(1, at: .milliseconds(240)) }
        rate.advance(to: .milliseconds(250))
        return rate
    }

    @Test("Throttling of other processes lowers the rate as much as a process's own")
    func throttlingOfOtherProcessesLowersTheRateAsMuchAsAProcesssOwn() {
        var (own, shared) = (lowered(), lowered())
        let start = own.limit
        #expect(start != nil && start == shared.limit)
        own.answered(100, at: .milliseconds(600))
        for _ in 0..<30 { own.throttled(1, at: .milliseconds(600)) }
        shared.answered(40, at: .milliseconds(600))
        shared.others(PlatformTraffic(answers: 60, throttled: 30), at: .milliseconds(600))
        own.advance(to: .seconds(2))
        shared.advance(to: .seconds(2))
        #expect(own.limit == shared.limit)
        #expect(own.limit ?? 400 < start ?? 0)
    }

    @Test("If a process has sent nothing, its rate is lowered from the ceiling")
    func ifAProcessHasSentNothingItsRateIsLoweredFromTheCeiling() {
        var rate = AdaptiveRate(ceiling: 400)
        rate.others(PlatformTraffic(answers: 100, throttled: 100), at: .seconds(1))
        let limit = rate.limit ?? 0
        #expect(limit > 200 && limit < 210)
        var unlimited = AdaptiveRate(ceiling: nil)
        unlimited.others(PlatformTraffic(answers: 100, throttled: 100), at: .seconds(1))
        #expect(unlimited.limit == nil, "nothing says what it would be lowered from")
    }

    @Test("The failure limit applies to all processes together")
    func failureLimitAppliesToAllProcessesTogether() {
        var journal = OutcomeJournal(
            outcomes: OutcomeCounts([.notAttempted: 99]), requests: 0,
            limit: FailureLimit(percent: 50, minimum: 10))
        journal.note(
            Verdict(
                state: .ended(.rejected), attempt: Attempt((1...4).map(DeliveryClaim.fresh)[...])),
            on: .apns, detail: "", at: TestBench.start)
        journal.endedElsewhere.add(OutcomeCounts([.accepted: 3, .failed: 1, .skipped: 100]))
        #expect(journal.tooManyFailures == nil)
        journal.endedElsewhere.add(OutcomeCounts([.accepted: 2]))
        #expect(journal.tooManyFailures?.contains("5 of the 10 deliveries") == true)
    }

    @Test("Progress includes other processes and never exceeds the total")
    func progressIncludesOtherProcessesAndNeverExceedsTheTotal() {
        var journal = OutcomeJournal(
            outcomes: OutcomeCounts([.accepted: 2, .notAttempted: 5]), requests: 2)
        journal.noteSkipped(1)
        journal.noteRequests(3)
        journal.noteOthers(OutcomeCounts([.accepted: 3]), requests: 3)
        #expect(journal.outcomes[.notAttempted] == 1)
        journal.noteOthers(OutcomeCounts([.accepted: 2, .unknown: 1]))
        #expect(journal.outcomes == OutcomeCounts([.accepted: 6, .skipped: 1, .notAttempted: 0]))
        #expect(journal.requests == 8)
        #expect(journal.ownOutcomes == OutcomeCounts([.skipped: 1]))
        #expect(journal.ownRequests == 3)
        journal.noteSkipped(1)
        #expect(journal.outcomes[.notAttempted] == 0)
    }

    // MARK: A rate that changes

    private func scheduler(rate: Double) -> SchedulerBench {
        SchedulerBench(
            platforms: [.apns], policy: DeliveryPolicy(rate: rate, concurrency: 64))
    }

    /// The start times of requests while the rate changes every 0.25 s; each page has its own
    /// interval.
    private func starts(_ rates: [Double]) -> [Duration] {
        var scheduler = scheduler(rate: rates[0])
        var starts: [Duration] = []
        for step in 0..<(rates.count * 25) {
            let now = Duration.milliseconds(10 * step)
            scheduler.scheduler.keep(to: rates[step / 25])
            while case .sendFresh(_, _, let limit) = scheduler.next(at: now) {
                let interval = scheduler.scheduler.pace(of: .apns).interval ?? .zero
                for number in 0..<limit { starts.append(now + interval * number) }
                scheduler.sent(limit, on: .apns, from: now)
                scheduler.answered(limit, on: .apns, at: now)
            }
        }
        return starts
    }

    @Test("A changing rate is not exceeded in any second")
    func changingRateIsNotExceededInAnySecond() {
        let rates: [Double] = [100, 40, 0, 0, 0, 80, 20, 100, 100, 10, 0, 50, 100, 5, 5, 5, 100]
        let starts = starts(rates)
        #expect(starts.count > 100)
        for (index, start) in starts.enumerated() {
            let within = starts[index...].prefix { $0 < start + .seconds(1) }.count
            #expect(within <= 101, "\(start)")
        }
        #expect(starts == starts.sorted(), "no page begins before the one before it is over")
    }

    @Test("Pages of a shared run are no larger than what is sent soon")
    func pagesOfASharedRunAreNoLargerThanWhatIsSentSoon() {
        let policy = DeliveryPolicy(rate: nil, concurrency: 10)
        #expect(PageScheduler(platforms: [.apns], policy: policy).pageSize == 4_096)
        var scheduler = PageScheduler(platforms: [.apns], policy: policy, isShared: true)
        #expect(scheduler.pageSize == 20)
        // A thousand responses per second for a second, then half of that.
        for step in 0..<200 {
            scheduler.answered(step < 100 ? 10 : 5, on: .apns, at: .milliseconds(10 * step))
        }
        #expect((240...260).contains(scheduler.pageSize))
        scheduler.keep(to: 50)
        #expect(scheduler.pageSize == 25)
    }

    @Test("At a rate of zero, nothing is sent, and finished work stays finished")
    func atARateOfZeroNothingIsSentAndFinishedWorkStaysFinished() {
        var scheduler = scheduler(rate: 100)
        scheduler.scheduler.keep(to: 0)
        #expect(scheduler.next(at: .zero) == .wait(until: nil))
        scheduler.scheduler.keep(to: 20)
        #expect(scheduler.next(at: .zero) == .sendFresh(.apns, wave: nil, limit: 10))
        let interval = scheduler.scheduler.pace(of: .apns).interval ?? .zero
        #expect(interval > .milliseconds(49) && interval < .milliseconds(51))
        scheduler.ranDry(on: .apns)
        scheduler.scheduler.keep(to: 0)
        #expect(scheduler.next(at: .zero) == .finish)
    }

    @Test("A platform's ceiling changes with the rate") func platformsCeilingChangesWithTheRate() {
        var scheduler = scheduler(rate: 400)
        scheduler.scheduler.keep(to: 100)
        scheduler.scheduler.others(
            [.apns: PlatformTraffic(answers: 50, throttled: 50)], at: .seconds(1))
        let interval = scheduler.scheduler.pace(of: .apns).platformInterval ?? .zero
        #expect(interval > .milliseconds(18) && interval < .milliseconds(20))
    }

    // MARK: Deliveries that others leave

    @Test("Pushes that other processes left unsent are read again")
    func pushesThatOtherProcessesLeftUnsentAreReadAgain() {
        var scheduler = scheduler(rate: 100)
        scheduler.ranDry(on: .apns)
        #expect(scheduler.next(at: .zero) == .finish)
        scheduler.scheduler.waves.readAgain()
        let again = PageScheduler.Action.read(.apns, after: 0, through: nil, limit: 50)
        #expect(scheduler.next(at: .zero) == again)
        let attempt = Attempt([.fresh(3)])
        scheduler.scheduler.read([.fresh(3)], on: .apns)
        scheduler.scheduler.waves.readAgain()
        #expect(
            scheduler.next(at: .zero) == .sendAgain(.apns, [attempt]), "what was read goes first")
        scheduler.sent(1, on: .apns, from: .zero)
        let rest = PageScheduler.Action.read(.apns, after: 3, through: nil, limit: 50)
        #expect(scheduler.next(at: .seconds(1)) == rest)
    }

    private static let waves = [
        RunWave(
            number: 1, recipients: 1...10,
            windows: SendWindows(windows: [SendWindows.Window(opens: 0)]),
            zones: ["UTC"]),
        RunWave(
            number: 2, recipients: 11...15,
            windows: SendWindows(windows: [SendWindows.Window(opens: 50, closes: 99)]),
            zones: ["Asia/Tokyo"]),
    ]

    @Test("Only open waves are read again") func onlyOpenWavesAreReadAgain() {
        var out = InFlight()
        var progress = WaveProgress(Self.waves, platforms: [.apns], at: 0)
        #expect(progress.source(on: .apns, besides: out) == .waiting(after: 0, through: 10))
        _ = progress.read([], on: .apns)
        #expect(progress.source(on: .apns, besides: out) == .fresh(wave: 1))
        progress.ranDry(1, on: .apns)
        _ = out.add([Attempt([.fresh(4)])], on: .apns, from: .zero)
        progress.readAgain()
        #expect(
            progress.source(on: .apns, besides: out) == .waiting(after: 0, through: 10),
            "with its own still out")
        #expect(progress.keepsRetry(4, on: .apns))
        let read = progress.read([.fresh(2)], on: .apns)
        #expect(read.map(\.number) == [2])
        #expect(progress.source(on: .apns, besides: out) == .waiting(after: 2, through: 10))
        _ = progress.read([], on: .apns)
        #expect(progress.source(on: .apns, besides: out) == .fresh(wave: 1))
        #expect(progress.maySend(11) == false)
        _ = progress.advance(to: 50)
        #expect(progress.source(on: .apns, besides: out) == .waiting(after: 10, through: 15))
    }

    @Test("Retries that are dropped when a wave closes are returned")
    func retriesThatAreDroppedWhenAWaveClosesAreReturned() {
        var scheduler = PageScheduler(
            platforms: [.apns], policy: DeliveryPolicy(rate: 100), waves: Self.waves, at: 50)
        _ = scheduler.next(at: .zero, besides: InFlight())
        for number in 9...12 {
            let isKept = scheduler.retry(
                Attempt([.fresh(number)]), on: .apns, due: .seconds(number))
            #expect(isKept)
        }
        let dropped = scheduler.advance(to: 98)
        #expect(dropped?[.apns]?.map(\.number).sorted() == [11, 12])
        let more = scheduler.advance(to: 99)
        #expect(more == nil)
    }
}
