import CampaignCore
import Delivery
import FoundationEssentials
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct WaveTests {
    private static let hour = 3_600.0

    /// Sends to everybody at eight o'clock local time.
    private static let atEight = SendTimeRule(quietHours: nil, localTime: 8 * 60, zone: .utc)
    /// Quiet hours from a minute past eight to nine.
    private static let quietSoon = SendTimeRule(
        quietHours: QuietHours(from: 8 * 60 + 1, to: 9 * 60), localTime: nil, zone: .utc)

    private func campaign(
        _ sendTimes: SendTimeRule, platforms: [Platform] = [.apns],
        delivery: DeliveryPolicy = DeliveryPolicy()
    ) throws -> Campaign {
        try TestBench.campaign(platforms: platforms, sendTimes: sendTimes, delivery: delivery)
    }

    private func at(_ seconds: Double) -> Date { TestBench.start.addingTimeInterval(seconds) }

    /// Time passes while no process is sending the run.
    private func pass(to seconds: Double, on bench: TestBench) async throws {
        try await bench.clock.sleep(until: .init(offset: .seconds(seconds)), tolerance: nil)
    }

    @Test("Each wave is sent at its time, and the run waits in between")
    func eachWaveIsSentAtItsTimeAndTheRunWaitsInBetween() async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let people = ListedAudience.people(["bob": nil, "alice": "-90", "carol": "0"])
        let first = try await bench.run(campaign, people: people)
        #expect(first.result == .waiting(until: at(90)))
        #expect(first.record.state == .waiting)
        #expect(first.record.resumes == at(90))
        #expect(first.record.finished == nil)
        #expect(bench.timesSent() == ["bob": 1, "carol": 1])
        let waves = try await bench.ledger.waves(first.record.id)
        #expect(waves.map(\.recipients) == [1...2, 3...3])
        #expect(waves.map(\.zones) == [["0", "UTC"], ["-90"]])

        let early = try await bench.run(campaign, people: people)
        #expect(early.result == .waiting(until: at(90)), "nothing is due, and that is no failure")
        #expect(bench.sender.sent.count == 2)

        try await pass(to: 90, on: bench)
        let last = try await bench.run(campaign, people: people)
        #expect(last.result == .finished)
        #expect(last.record.id == first.record.id)
        #expect(last.record.resumes == nil)
        #expect(bench.timesSent() == ["alice": 1, "bob": 1, "carol": 1])
        #expect(bench.sender.sent.last?.at ?? .zero >= .seconds(90))
    }

    @Test("If a wave opens during another wave, the same process sends it")
    func ifAWaveOpensDuringAnotherWaveTheSameProcessSendsIt() async throws {
        let bench = TestBench()
        let people =
            ListedAudience.people(count: 30, in: "0", named: "b")
            + ListedAudience.people(count: 5, in: "-10", named: "a")
        let summary = try await bench.run(
            campaign(Self.atEight, delivery: DeliveryPolicy(rate: 1)), people: people)
        #expect(summary.result == .finished)
        #expect(bench.timesSent().values.allSatisfy { $0 == 1 })
        let (early, late) = (bench.sender.sent.prefix(30), bench.sender.sent.dropFirst(30))
        #expect(early.allSatisfy { $0.username.text.hasPrefix("b") })
        #expect(late.allSatisfy { $0.at >= .seconds(10) })
    }

    @Test("Quiet hours interrupt a run but lose nobody")
    func quietHoursInterruptARunButLoseNobody() async throws {
        let bench = TestBench()
        let people = ListedAudience.people(count: 100)
        let campaign = try campaign(Self.quietSoon, delivery: DeliveryPolicy(rate: 1))
        let first = try await bench.run(campaign, people: people)
        #expect(first.result == .waiting(until: at(Self.hour)))
        #expect((50...60).contains(first.outcomes[.accepted]))
        #expect(bench.sender.sent.allSatisfy { $0.at < .seconds(60) })
        try await pass(to: Self.hour, on: bench)
        let second = try await bench.run(campaign, people: people)
        #expect(second.outcomes == OutcomeCounts([.accepted: 100]))
        #expect(bench.timesSent().values.allSatisfy { $0 == 1 })
    }

    @Test("An absent hub is not tried in quiet hours")
    func absentHubIsNotTriedInQuietHours() async throws {
        let bench = TestBench { _, _, _ in .now(.retry(after: nil, cause: .unreachable), "refused")
        }
        let people = ListedAudience.people(count: 40)
        let campaign = try campaign(
            Self.quietSoon, delivery: DeliveryPolicy(retry: RetryLimits(attempts: 100)))
        let first = try await bench.run(campaign, people: people)
        #expect(first.result == .waiting(until: at(Self.hour)))
        #expect(first.outcomes == OutcomeCounts([.notAttempted: 40]))
        #expect(bench.sender.sent.allSatisfy { $0.at < .seconds(60) })
        bench.sender.answer { _, _, _ in .now(.accepted) }
        try await pass(to: Self.hour, on: bench)
        let second = try await bench.run(campaign, people: people)
        #expect(second.outcomes == OutcomeCounts([.accepted: 40]))
        #expect(bench.sender.sent.allSatisfy { $0.at < .seconds(60) || $0.at >= .seconds(3_600) })
    }

    @Test("A retry that is due in quiet hours waits until they end")
    func retryThatIsDueInQuietHoursWaitsUntilTheyEnd() async throws {
        // Bob is throttled until after his wave has closed; Zoe's wave stays open and keeps the
        // process working.
        let bench = TestBench { _, user, attempt in
            user.text == "bob" && attempt == 1
                ? .now(.retry(after: .seconds(70), cause: .throttled)) : .now(.accepted)
        }
        let rule = SendTimeRule(
            quietHours: QuietHours(from: 8 * 60 + 1, to: 8 * 60 + 3), localTime: nil, zone: .utc)
        let people =
            ListedAudience.people(["bob": "0"])
            + ListedAudience.people(count: 220, in: "600", named: "zoe")
        let summary = try await bench.run(
            campaign(rule, delivery: DeliveryPolicy(rate: 1)), people: people)
        #expect(summary.result == .finished)
        #expect(bench.timesSent()["bob"] == 2)
        let bob = bench.sender.sent.filter { $0.username.text == "bob" }.map(\.at)
        #expect(bob.last ?? .zero >= .seconds(180))
        #expect(bench.timesSent().count == 221)
    }

    @Test("People whose time is after the deadline are skipped as too late")
    func peopleWhoseTimeIsAfterTheDeadlineAreSkippedAsTooLate() async throws {
        let bench = TestBench()
        let delivery = DeliveryPolicy(finishWithin: .seconds(Self.hour))
        let people = ListedAudience.people(["alice": "-7200", "bob": "0"])
        let summary = try await bench.run(
            campaign(Self.atEight, delivery: delivery), people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes[.accepted] == 1)
        #expect(summary.outcomes.tooLate == 1)
        #expect(bench.timesSent() == ["bob": 1])
    }

    @Test("If a run continues after its deadline, its people are skipped as too late")
    func ifARunContinuesAfterItsDeadlineItsPeopleAreSkippedAsTooLate() async throws {
        let bench = TestBench()
        let delivery = DeliveryPolicy(finishWithin: .seconds(Self.hour))
        let campaign = try campaign(Self.atEight, delivery: delivery)
        let people = ListedAudience.people(["alice": "-600", "bob": "0"])
        #expect(try await bench.run(campaign, people: people).result == .waiting(until: at(600)))
        try await pass(to: 2 * Self.hour, on: bench)
        let late = try await bench.run(campaign, people: people)
        #expect(late.result == .finished)
        #expect(late.outcomes.tooLate == 1)
        #expect(bench.timesSent() == ["bob": 1])
    }

    @Test("If the deadline is moved before the next wave, the run ends immediately")
    func ifTheDeadlineIsMovedBeforeTheNextWaveTheRunEndsImmediately() async throws {
        let bench = TestBench()
        let people = ListedAudience.people(["alice": "-3600", "bob": "0"])
        let first = try await bench.run(campaign(Self.atEight), people: people)
        #expect(first.result == .waiting(until: at(Self.hour)))
        let sooner = try campaign(
            Self.atEight, delivery: DeliveryPolicy(finishWithin: .seconds(600)))
        let second = try await bench.run(sooner, people: people)
        #expect(second.result == .finished)
        #expect(second.outcomes.tooLate == 1)
        #expect(bench.clock.elapsed < .seconds(600))
    }

    @Test("A run between waves can be stopped and resumed")
    func runBetweenWavesCanBeStoppedAndResumed() async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let people = ListedAudience.people(["alice": "-600", "bob": "0"])
        let id = try await bench.run(campaign, people: people).record.id
        #expect(try await bench.stopper.stop(id) == .stopped)
        #expect(try await bench.ledger.run(id)?.state == .stopped)
        #expect(try await bench.ledger.run(id)?.resumes == nil)
        await #expect(throws: RunError.stopped(id)) {
            try await bench.run(campaign, people: people)
        }
        let resumed = try await bench.runner.resume(id, at: TestBench.hub)
        #expect(resumed.result == .waiting(until: at(600)))
        try await pass(to: 600, on: bench)
        #expect(try await bench.runner.resume(id, at: TestBench.hub).result == .finished)
        #expect(bench.timesSent() == ["alice": 1, "bob": 1])
    }

    @Test("A run between waves can be ended permanently", arguments: [StopMode.final, .revoking])
    func runBetweenWavesCanBeEndedPermanently(mode: StopMode) async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let people = ListedAudience.people(["alice": "-600", "bob": "0"])
        let id = try await bench.run(campaign, people: people).record.id
        #expect(
            try await bench.stopper.stop(id, mode: mode) == (mode == .final ? .ended : .revoked))
        #expect(try await bench.ledger.run(id)?.state == .finished)
        try await pass(to: 600, on: bench)
        #expect(try await bench.run(campaign, people: people).result == .alreadyFinished)
        #expect(bench.timesSent() == ["bob": 1])
    }

    /// The audience file may change every day.
    @Test("A time zone change between waves has no effect")
    func timeZoneChangeBetweenWavesHasNoEffect() async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let first = try await bench.run(
            campaign, people: ListedAudience.people(["alice": "-90", "bob": "0", "carol": "-300"]))
        #expect(first.result == .waiting(until: at(90)))
        #expect(bench.timesSent() == ["bob": 1])

        // Bob's time would come again, Carol's would have passed, and Alice's would come later.
        let moved = ListedAudience.people(["alice": "-300", "bob": "-90", "carol": "0"])
        let audience = try await CampaignPlanner(zones: TestZones(), ledger: nil).plan(
            campaign, audience: ListedAudience(named: moved), sorter: try TestBench.sorter(),
            now: bench.now())
        // The wave looks as if it came from a process that planned it before it knew about the run.
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, campaignPath: "/campaigns/spring.yaml")
        try await pass(to: 90, on: bench)
        let second = try await bench.runner.run(request, to: audience)
        #expect(second.record.id == first.record.id)
        #expect(second.result == .waiting(until: at(300)))
        #expect(bench.timesSent() == ["alice": 1, "bob": 1])
        try await pass(to: 300, on: bench)
        #expect(try await bench.runner.run(request, to: audience).result == .finished)
        #expect(bench.timesSent() == ["alice": 1, "bob": 1, "carol": 1])
        let waves = try await bench.ledger.waves(first.record.id)
        #expect(waves.map(\.zones) == [["0"], ["-90"], ["-300"]])
    }

    @Test("A rehearsal ignores local times") func rehearsalIgnoresLocalTimes() async throws {
        let bench = TestBench()
        let summary = try await bench.run(
            campaign(Self.atEight), people: ListedAudience.people(["alice": "-600"]),
            only: [Username(checked: "alice")], mode: .rehearsal)
        #expect(summary.result == .finished)
        #expect(try await bench.ledger.waves(summary.record.id).isEmpty)
    }

    @Test("A local time is used only once a day") func localTimeIsUsedOnlyOnceADay() async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let people = ListedAudience.people(["alice": "0", "bob": "-600"])
        #expect(try await bench.run(campaign, people: people).result == .waiting(until: at(600)))
        try await pass(to: 600, on: bench)
        #expect(try await bench.run(campaign, people: people).result == .finished)
        let again = try await bench.run(campaign, people: people, mode: .again)
        #expect(again.result == .waiting(until: at(86_400)))
        #expect(bench.timesSent() == ["alice": 1, "bob": 1])
    }

    @Test("A wave that was never sent does not use up the local time of that day")
    func waveThatWasNeverSentDoesNotUseUpTheLocalTimeOfThatDay() async throws {
        let bench = TestBench()
        let campaign = try campaign(Self.atEight)
        let people = ListedAudience.people(["alice": "-600"])
        let id = try await bench.run(campaign, people: people).record.id
        #expect(try await bench.stopper.stop(id, mode: .final) == .ended)
        let again = try await bench.run(campaign, people: people, mode: .again)
        #expect(again.result == .waiting(until: at(600)))
    }

    @Test("A follow-up run sends on the right platforms in every wave")
    func followUpRunSendsOnTheRightPlatformsInEveryWave() async throws {
        let bench = TestBench { platform, user, _ in
            .now(platform == .fcm || user.text == "alice" ? .rejected : .accepted)
        }
        let people = ListedAudience.people(["alice": "-60", "bob": "0", "carol": "-60"])
        let plain = try TestBench.campaign(platforms: [.apns, .fcm])
        _ = try await bench.run(plain, people: people)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let campaign = try campaign(Self.atEight, platforms: [.apns, .fcm])
        _ = try await bench.run(campaign, people: people, mode: .followUp([.rejected]))
        try await pass(to: 60, on: bench)
        let summary = try await bench.run(campaign, people: people, mode: .followUp([.rejected]))
        #expect(summary.result == .finished)
        #expect(summary.outcomes[.accepted] == 4)
        #expect(bench.timesSent(on: .apns) == ["alice": 2, "bob": 1, "carol": 1])
        #expect(bench.timesSent(on: .fcm) == ["alice": 2, "bob": 2, "carol": 2])
    }

    @Test("The frequency cap applies in every wave")
    func frequencyCapAppliesInEveryWave() async throws {
        let bench = TestBench()
        try await bench.ledger.protect(["alice", "bob"])
        let delivery = DeliveryPolicy(
            frequencyCap: FrequencyCap(pushes: 1, period: .seconds(7 * 86_400)))
        let campaign = try campaign(Self.atEight, delivery: delivery)
        let people = ListedAudience.people([
            "alice": "-60", "bob": "0", "carol": "0", "dave": "-60",
        ])
        #expect(try await bench.run(campaign, people: people).result == .waiting(until: at(60)))
        try await pass(to: 60, on: bench)
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, .skipped: 2]))
        #expect(bench.timesSent() == ["carol": 1, "dave": 1])
    }

    @Test("A scheduled run that starts late still reaches its first wave")
    func scheduledRunThatStartsLateStillReachesItsFirstWave() async throws {
        let bench = TestBench()
        try await pass(to: 300, on: bench)
        let schedule = Schedule(
            .cron(try CronSchedule("0 8 * * *")), in: .utc, startDeadline: .seconds(Self.hour))
        let campaign = try TestBench.campaign(schedule: schedule, sendTimes: Self.atEight)
        let summary = try await bench.run(
            campaign, people: ListedAudience.people(["alice": "0"]),
            mode: .occurrence(.scheduled(TestBench.start)))
        #expect(summary.result == .finished)
    }
}
