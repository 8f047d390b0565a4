import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

/// The keys of `delivery` that determine the fate of a push.
@Suite(.bounded) struct PolicyTests {
    @Test(
        "Under hold, nobody gets the same silent push twice",
        arguments: [CampaignKind.secure, .rich])
    func underHoldNobodyGetsTheSameSilentPushTwice(kind: CampaignKind) async throws {
        let bench = TestBench { _, user, _ in
            user.text == "bob" ? .now(.unknown, "no answer") : .now(.accepted)
        }
        let campaign = try TestBench.campaign(
            kind: kind, message: "Hi", delivery: DeliveryPolicy(onUnknown: .hold))
        let summary = try await bench.run(
            campaign, people: ListedAudience.people(["alice", "bob", "carol"]))
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, .unknown: 1]))
        #expect(bench.timesSent() == ["alice": 1, "bob": 1, "carol": 1])
    }

    @Test("Under resend, a lost alert is sent again")
    func underResendALostAlertIsSentAgain() async throws {
        let bench = TestBench { _, _, attempt in
            attempt == 1 ? .now(.unknown, "no answer") : .now(.accepted)
        }
        let campaign = try TestBench.campaign(
            kind: .alert, message: "Hi", delivery: DeliveryPolicy(onUnknown: .resend))
        let summary = try await bench.run(campaign, people: ListedAudience.people(["alice"]))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(bench.timesSent() == ["alice": 2])
    }

    @Test("After too many failures pause a run, running it again counts them from zero")
    func afterTooManyFailuresPauseARunRunningItAgainCountsThemFrom() async throws {
        let bench = TestBench { _, _, _ in .now(.rejected, "HTTP 400") }
        let policy = DeliveryPolicy(rate: 20, stopWhen: FailureLimit(percent: 5, minimum: 30))
        let campaign = try TestBench.campaign(delivery: policy)
        let people = ListedAudience.people(count: 200)
        let paused = try await bench.run(campaign, people: people)
        let reason = try #require(paused.result.reason(toPause: .tooManyFailures))
        #expect(reason.contains("`stop_when` allows less than 5%"))
        #expect(paused.outcomes[.rejected] < 60)
        #expect(paused.outcomes[.notAttempted] > 140)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes[.accepted] == paused.outcomes[.notAttempted])
        #expect(bench.timesSent().values.allSatisfy { $0 == 1 })
    }

    @Test("People over the frequency cap are skipped")
    func peopleOverTheFrequencyCapAreSkipped() async throws {
        let bench = TestBench()
        try await bench.ledger.protect(
            (1...150).map { "u" + String(String(100_000 + $0).dropFirst()) })
        let policy = DeliveryPolicy(
            rate: 100, frequencyCap: FrequencyCap(pushes: 1, period: .seconds(60)))
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(count: 200))
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 50, .skipped: 150]))
        #expect(bench.timesSent().count == 50)
        #expect(bench.clock.elapsed < .seconds(1), "who is passed over takes no time of the rate")
    }

    @Test("The frequency cap does not apply to a rehearsal")
    func frequencyCapDoesNotApplyToARehearsal() async throws {
        let bench = TestBench()
        try await bench.ledger.protect(["alice"])
        let policy = DeliveryPolicy(frequencyCap: FrequencyCap(pushes: 1, period: .seconds(60)))
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(["alice", "bob"]),
            only: [Username(checked: "alice")], mode: .rehearsal)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1]))
    }

    @Test("Throttling slows the run, and its rate recovers")
    func throttlingSlowsTheRunAndItsRateRecovers() async throws {
        let bench = TestBench()
        let clock = bench.clock
        // The hub accepts 20 pushes per second for thirty seconds, and everything after that.
        let limit = Limit(rate: 20)
        bench.sender.answer { _, _, _ in
            clock.elapsed > .seconds(30) || limit.takes(at: clock.elapsed)
                ? .now(.accepted) : .now(.retry(after: nil, cause: .throttled), "HTTP 429")
        }
        let summary = try await bench.run(
            TestBench.campaign(delivery: DeliveryPolicy(rate: 100)),
            people: ListedAudience.people(count: 3_000))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 3_000]))
        func sent(_ seconds: Range<Int>) -> Int {
            bench.sender.sent.count {
                $0.at >= .seconds(seconds.lowerBound) && $0.at < .seconds(seconds.upperBound)
            }
        }
        #expect(sent(5..<30) < 25 * 60, "far below what the file allows")
        let intervals = bench.sender.pages.map { $0.platformInterval ?? .zero }
        #expect(intervals.max() ?? .zero >= .milliseconds(40))
        #expect(intervals.last ?? .zero < .milliseconds(20), "it comes back bit by bit")
    }

    @Test("An unreachable hub gets only a few pushes")
    func unreachableHubGetsOnlyAFewPushes() async throws {
        let bench = TestBench { _, _, _ in
            .now(.retry(after: nil, cause: .unreachable), "connection refused")
        }
        let summary = try await bench.run(
            TestBench.campaign(delivery: DeliveryPolicy(rate: 100, concurrency: 4)),
            people: ListedAudience.people(count: 5_000))
        #expect(summary.result.reason(toPause: .unreachable) != nil)
        #expect(bench.timesSent().count <= 100, "nobody new once it was clear that it is away")
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let again = try await bench.run(
            TestBench.campaign(delivery: DeliveryPolicy(rate: 100, concurrency: 4)),
            people: ListedAudience.people(count: 5_000))
        #expect(again.outcomes == OutcomeCounts([.accepted: 5_000]))
    }

    @Test("An interruption takes effect even while everybody is being skipped")
    func interruptionTakesEffectEvenWhileEverybodyIsBeingSkipped() async throws {
        let bench = TestBench()
        // A claim skips at most a thousand people.
        let people = ListedAudience.people(count: 5_100)
        try await bench.ledger.protect(people.map(\.username.text))
        let (reached, opened) = (Signal(), Signal())
        await bench.ledger.hold(claim: 5, reached: reached, until: opened)
        let policy = DeliveryPolicy(
            rate: 1, frequencyCap: FrequencyCap(pushes: 1, period: .seconds(60)))
        let task = Task {
            try await bench.run(TestBench.campaign(delivery: policy), people: people)
        }
        await reached.wait()
        task.cancel()
        opened.happen()
        let summary = try await task.value
        #expect(summary.result.reason(toPause: .cancelled) != nil)
        #expect(summary.outcomes == OutcomeCounts([.skipped: 5_000, .notAttempted: 100]))
        #expect(await bench.ledger.claimCalls == 5)
    }

    @Test("A slow first response does not use up the retries")
    func slowFirstResponseDoesNotUseUpTheRetries() async throws {
        let bench = TestBench { _, user, attempt in
            user.text == "alice" && attempt == 1
                ? .late(.seconds(60), .unknown) : .now(.accepted)
        }
        let policy = DeliveryPolicy(retry: RetryLimits(attempts: 5, duration: .seconds(30)))
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(["alice", "bob"]))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2]))
        #expect(bench.timesSent() == ["alice": 2, "bob": 1])
    }

    @Test("Pushes left in doubt by a crash do not count as failures")
    func pushesLeftInDoubtByACrashDoNotCountAsFailures() async throws {
        let bench = TestBench()
        let policy = DeliveryPolicy(
            onUnknown: .hold, stopWhen: FailureLimit(percent: 5, minimum: 10))
        let campaign = try TestBench.campaign(delivery: policy)
        let id = try await bench.stage(campaign, people: ListedAudience.people(count: 60))
        _ = try await bench.ledger.claimNext(id, platform: .apns, limit: 30)
        await bench.ledger.letGo()
        let summary = try await bench.runner.resume(id, at: TestBench.hub)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 30, .unknown: 30]))
    }
}
