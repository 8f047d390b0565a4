import CampaignCore
import Delivery
import FoundationEssentials
import InMemoryLogging
import Logging
import Synchronization
import TestSupport
import Testing

/// Runs during which a person or a time server sets the clock.
@Suite(.bounded) struct SteppingClockTests {
    private static let delivery = DeliveryPolicy(rate: 10, finishWithin: .seconds(24 * 3_600))

    /// The first try of every seventh person fails, so that there is a backoff.
    private static let script: ScriptedSender.Script = { _, user, number in
        guard number == 1, user.text.hasSuffix("7") else { return .now(.accepted) }
        return .now(.retry(after: .seconds(3), cause: .throttled))
    }

    /// Runs a campaign to 200 people with the given clock.
    private func run(
        on bench: TestBench, delivery: DeliveryPolicy = Self.delivery,
        log: any LogHandler = SwiftLogNoOpLogHandler(),
        observeLock: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> Date
    ) async throws -> RunSummary {
        var runner = bench.runner(
            patience: .seconds(60), logger: Logger(label: "test", factory: { _ in log }),
            observeLock: observeLock)
        runner.now = now
        let campaign = try TestBench.campaign(delivery: delivery)
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, campaignPath: "/campaigns/spring.yaml")
        let audience = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: ListedAudience.people(count: 200)),
            sorter: try TestBench.sorter(), now: now())
        return try await runner.run(request, to: audience)
    }

    @Test(
        "Setting the clock back and forth changes nothing",
        arguments: 1...3 as ClosedRange<UInt64>)
    func settingTheClockBackAndForthChangesNothing(seed: UInt64) async throws {
        let steady = TestBench(Self.script)
        let expected = try await run(on: steady, now: steady.now)

        let stepping = TestBench(Self.script)
        let random = SeededGenerator(seed: seed)
        let offset = Mutex(0.0)
        let summary = try await run(on: stepping) { [now = stepping.now] in
            var random = random
            // At each reading, the clock may have been set by up to ten hours in either direction.
            if Bool.random(using: &random) {
                let step = Double.random(in: -36_000...36_000, using: &random)
                offset.withLock { $0 = step }
            }
            return now().addingTimeInterval(offset.withLock { $0 })
        }

        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 200]))
        #expect(summary.outcomes == expected.outcomes)
        // The order of pushes due at the same time may vary, and so may a tenth of a second.
        #expect(stepping.timesSent() == steady.timesSent())
        let difference = stepping.clock.elapsed - steady.clock.elapsed
        #expect((.seconds(-5) ... .seconds(5)).contains(difference), "rates know no time of day")
        let tries = Dictionary(grouping: stepping.sender.sent, by: \.username).values
        for times in tries.map({ $0.map(\.at) }) where times.count > 1 {
            #expect(times[1] - times[0] >= .seconds(3), "waits know no time of day")
        }
    }

    @Test("Setting the clock to before the run's start changes nothing")
    func settingTheClockToBeforeTheRunsStartChangesNothing() async throws {
        let bench = TestBench(Self.script)
        let calls = Mutex(0)
        let summary = try await run(on: bench) { [now = bench.now] in
            let call = calls.withLock { count in
                count += 1
                return count
            }
            return now().addingTimeInterval(call > 10 ? -400 * 86_400 : 0)
        }
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 200]))
        #expect(bench.timesSent().values.reduce(0, +) == 220)
    }

    /// Steps of the clock, in seconds, that occur five seconds after the start.
    @Test(
        "A clock change does not move a deadline and is reported once",
        arguments: [25 * 3_600, -7 * 3_600, 7_200] as [Double])
    func clockChangeDoesNotMoveADeadlineAndIsReportedOnce(step: Double) async throws {
        let bench = TestBench()
        let log = InMemoryLogHandler()
        // Sending would take twenty seconds, but only ten are allowed.
        let delivery = DeliveryPolicy(rate: 10, finishWithin: .seconds(10))
        let summary = try await run(on: bench, delivery: delivery, log: log) {
            [now = bench.now, clock = bench.clock] in
            now().addingTimeInterval(clock.elapsed > .seconds(5) ? step : 0)
        }
        #expect(summary.result == .finished)
        #expect((95...110).contains(summary.outcomes[.accepted]))
        #expect(summary.outcomes.tooLate == 200 - summary.outcomes[.accepted])
        #expect(bench.sender.sent.allSatisfy { $0.at <= .seconds(11) })
        let warnings = log.entries.filter { $0.level == .warning }.map { "\($0.message)" }
        let text = step == -25_200 ? "-7h" : step == 7_200 ? "+2h" : "+1d 1h"
        #expect(
            warnings == [
                "The clock of this machine was changed by \(text) during the run; the run's "
                    + "deadlines have not changed."
            ])
    }

    @Test("A clock change does not let a payload expire early")
    func clockChangeDoesNotLetAPayloadExpireEarly() async throws {
        let bench = TestBench()
        let summary = try await run(
            on: bench, delivery: DeliveryPolicy(rate: 10, finishWithin: .seconds(30 * 86_400))
        ) { [now = bench.now, clock = bench.clock] in
            now().addingTimeInterval(clock.elapsed > .seconds(5) ? 8 * 86_400 : 0)
        }
        #expect(summary.outcomes == OutcomeCounts([.accepted: 200]))
    }

    @Test("A run that waited for the lock starts with the clock's current time")
    func runThatWaitedForTheLockStartsWithTheClocksCurrentTime() async throws {
        let bench = TestBench()
        let held = try #require(bench.lock.acquire(campaign: "spring"))
        let step = Mutex(0.0)
        let summary = try await run(on: bench) { _ in
            step.withLock { $0 = 7_200 }
            held.release()
        } now: { [now = bench.now] in
            now().addingTimeInterval(step.withLock(\.self))
        }
        #expect(summary.record.started >= TestBench.start + 7_200)
    }

    @Test("A continued run calculates its deadline from the current clock")
    func continuedRunCalculatesItsDeadlineFromTheCurrentClock() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(delivery: Self.delivery)
        _ = try await bench.stage(campaign, people: ListedAudience.people(count: 200))
        let summary = try await run(on: bench) { [now = bench.now] in
            now().addingTimeInterval(25 * 3_600)
        }
        #expect(summary.result == .finished)
        #expect(summary.outcomes.tooLate == 200)
        #expect(bench.sender.sent.isEmpty)
    }
}
