import CampaignCore
import FoundationEssentials
import Logging
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct SharedEngineTests {
    private func work(
        on bench: TestBench, people: Int, platforms: [Platform] = [.apns],
        sendTimes: SendTimeRule? = nil,
        delivery: DeliveryPolicy = DeliveryPolicy(),
        lease: RunLease = RunLease(until: .now + .seconds(3_600)),
        _ script: @escaping ScriptedPart.Script
    ) async throws -> (cause: EndCause, part: ScriptedPart) {
        let id = try await bench.stage(
            try TestBench.campaign(platforms: platforms, sendTimes: sendTimes, delivery: delivery),
            people: ListedAudience.people(count: people))
        let run = try #require(try await bench.ledger.run(id))
        let part = ScriptedPart(bench.ledger, lease: lease, script: script)
        let share = RunShare(part, Timeline(bench.clock))
        let heartbeat = try #require(share.heartbeat)
        var engine = RunEngine(
            run, waves: try await bench.ledger.waves(id),
            outcomes: try await bench.ledger.outcomes(id), share: share,
            of: RunSending(bench.runner))
        // The engine and the heartbeat advance the clock together, so that neither is left behind.
        bench.clock.requireMovers(2)
        defer { bench.clock.requireMovers(1) }
        let beating = Task { await heartbeat.beat() }
        let cause: EndCause
        do {
            cause = try await engine.work()
        } catch {
            beating.cancel()
            await beating.value
            throw error
        }
        beating.cancel()
        await beating.value
        try await heartbeat.exchange()
        return (cause, part)
    }

    private func worker(_ id: Int64, _ outcomes: OutcomeCounts) -> RunWorker {
        RunWorker(
            id: id, process: WorkerProcess(host: "other", number: 1, version: "1"),
            joined: TestBench.start, seen: TestBench.start,
            report: WorkerReport(outcomes: outcomes, requests: outcomes.total))
    }

    @Test("Nothing is sent before a rate has been granted")
    func nothingIsSentBeforeARateHasBeenGranted() async throws {
        let bench = TestBench()
        let start = bench.clock.elapsed
        let (cause, part) = try await work(
            on: bench, people: 20, delivery: DeliveryPolicy(rate: 100)
        ) { _, number in
            RunNews(state: .running, rate: number <= 4 ? 0 : 50)
        }
        #expect(cause == .complete)
        #expect(bench.sender.sent.count == 20)
        let first = try #require(bench.sender.sent.first)
        #expect(first.at - start >= .seconds(2))
        #expect(bench.sender.pages.first?.interval == .milliseconds(20))
        #expect(bench.sender.pages.allSatisfy { $0.lease != nil })
        #expect(part.reports.first?.rate == nil)
        #expect(part.reports.contains { $0.rate == 50 })
    }

    @Test("A process with nothing left waits for the others without busy polling")
    func processWithNothingLeftWaitsForTheOthersWithoutBusyPolling() async throws {
        let bench = TestBench()
        let start = bench.clock.elapsed
        let (cause, part) = try await work(on: bench, people: 3) { _, number in
            RunNews(
                state: .running, hasAbandoned: number == 12, hasFree: number == 14,
                othersHaveWork: number < 20)
        }
        #expect(cause == .complete)
        let time = (bench.clock.elapsed - start) / .seconds(1)
        #expect(time >= 8.5)
        #expect(Double(part.reports.count) <= time * 2 + 5)
        #expect(part.reports.last?.outcomes == OutcomeCounts([.accepted: 3]))
        #expect(part.reports.last?.requests == 3)
        #expect(part.reports.last?.traffic == [.apns: PlatformTraffic(answers: 3)])
    }

    @Test("Progress shows the work of all processes")
    func progressShowsTheWorkOfAllProcesses() async throws {
        let bench = TestBench()
        bench.sender.answer { _, _, _ in .late(.seconds(3), .accepted) }
        let (cause, _) = try await work(on: bench, people: 10) { [self] _, number in
            let done = number < 2 ? 0 : 4
            return RunNews(state: .running, others: [worker(7, OutcomeCounts([.rejected: done]))])
        }
        #expect(cause == .complete)
        let shown = bench.progress.all
        #expect(shown.contains { $0.outcomes[.rejected] == 4 && $0.others == 1 })
        #expect(shown.allSatisfy { $0.outcomes[.notAttempted] >= 0 })
    }

    @Test(
        "If another process stops or reaches the failure limit, this process stops",
        arguments: [
            RunNews(state: .running, stopRequest: .resumable),
            RunNews(state: .running, tooManyFailures: "5 of the 10 deliveries that ended"),
        ])
    func ifAnotherProcessStopsOrReachesTheFailureLimitThisProcess(news: RunNews) async throws {
        let bench = TestBench()
        let (cause, _) = try await work(on: bench, people: 10) { _, _ in news }
        let expected: EndCause =
            news.tooManyFailures.map { .paused(Pause(.tooManyFailures, detail: $0)) }
            ?? .stopped(.resumable)
        #expect(cause == expected)
        #expect(bench.sender.sent.isEmpty)
    }

    @Test("If failures in other processes exceed the limit, this process pauses")
    func ifFailuresInOtherProcessesExceedTheLimitThisProcessPauses() async throws {
        let bench = TestBench()
        bench.sender.answer { _, _, _ in .late(.seconds(20), .accepted) }
        let limit = FailureLimit(percent: 50, minimum: 10)
        let (cause, part) = try await work(
            on: bench, people: 10, delivery: DeliveryPolicy(stopWhen: limit)
        ) { [self] _, number in
            RunNews(
                state: .running,
                others: [worker(7, OutcomeCounts([.rejected: number < 3 ? 2 : 10]))])
        }
        #expect(cause.isPause(.tooManyFailures))
        #expect(part.reports.contains { $0.tooManyFailures?.contains("10 of the 10") == true })
    }

    @Test("A process that loses its part stops immediately and writes nothing")
    func processThatLosesItsPartStopsImmediatelyAndWritesNothing() async throws {
        let bench = TestBench()
        bench.sender.answer { _, _, _ in .late(.seconds(2), .accepted) }
        let id = RunID(checked: "20270115T080000Z-aaaaaa")
        await #expect(throws: RunPartLost(id)) {
            _ = try await work(on: bench, people: 10) { _, number in
                guard number < 3 else { throw RunPartLost(id) }
                return RunNews(state: .running)
            }
        }
        #expect(await bench.ledger.batches.isEmpty)
        await bench.ledger.letGo()
    }

    @Test("If the store may have lost writes, responses are saved and the work stops")
    func ifTheStoreMayHaveLostWritesResponsesAreSavedAndTheWorkStops() async throws {
        let bench = TestBench()
        bench.sender.answer { _, _, _ in .late(.seconds(2), .accepted) }
        await #expect(throws: StoreMoved.self) {
            _ = try await work(on: bench, people: 10) { _, number in
                RunNews(state: .running, mayLackWrites: number == 3)
            }
        }
        let written = await bench.ledger.batches.flatMap(\.self)
        #expect(written.count == 10)
        #expect(written.allSatisfy { $0.state == .ended(.accepted) })
        await bench.ledger.letGo()
    }

    @Test("Retries of a closing wave are left to other processes")
    func retriesOfAClosingWaveAreLeftToOtherProcesses() async throws {
        // The retry is due only after a minute past eight, when quiet hours start.
        let bench = TestBench { _, user, _ in
            user.text == "u00002"
                ? .now(.retry(after: .seconds(70), cause: .throttled)) : .now(.accepted)
        }
        let quietSoon = SendTimeRule(
            quietHours: QuietHours(from: 8 * 60 + 1, to: 9 * 60), localTime: nil, zone: .utc)
        let (cause, part) = try await work(on: bench, people: 3, sendTimes: quietSoon) {
            [clock = bench.clock] _, _ in
            RunNews(state: .running, hasFree: clock.elapsed >= .seconds(59))
        }
        #expect(cause == .complete, "what is free is of a closed wave")
        #expect(part.leftToOthers == [.apns: [2]])
        #expect(bench.sender.sent.count == 3)
    }

    @Test("A process without its lease waits without busy polling while a wave closes")
    func processWithoutItsLeaseWaitsWithoutBusyPollingWhileAWave() async throws {
        let bench = TestBench()
        let lease = RunLease(until: .now + .seconds(3_600))
        let quietSoon = SendTimeRule(
            quietHours: QuietHours(from: 8 * 60 + 1, to: 9 * 60), localTime: nil, zone: .utc)
        let (cause, part) = try await work(on: bench, people: 3, sendTimes: quietSoon, lease: lease)
        {
            [clock = bench.clock] _, _ in
            let isAway = (.seconds(50)..<(.seconds(70))).contains(clock.elapsed)
            lease.extend(until: .now + .seconds(isAway ? -1 : 3_600))
            return RunNews(state: .running, othersHaveWork: clock.elapsed < .seconds(90))
        }
        #expect(cause == .complete)
        #expect(bench.clock.elapsed >= .seconds(90))
        #expect(part.reports.count < 200)
    }

    @Test("A process that gets no response from the hub leaves its retries to others")
    func processThatGetsNoResponseFromTheHubLeavesItsRetriesToOthers() async throws {
        let bench = TestBench { _, _, _ in .now(.retry(after: nil, cause: .unreachable)) }
        let (cause, part) = try await work(
            on: bench, people: 6, delivery: DeliveryPolicy(rate: nil, concurrency: 6)
        ) { [self, clock = bench.clock] _, number in
            RunNews(
                state: .running, stopRequest: clock.elapsed > .seconds(6) ? .resumable : nil,
                others: [worker(7, OutcomeCounts([.accepted: number]))])
        }
        #expect(cause == .stopped(.resumable))
        #expect(part.leftToOthers[.apns]?.count == 5, "\(part.leftToOthers)")
    }

    @Test(
        "A throttled platform's retries are left to other processes"
    )
    func throttledPlatformsRetriesAreLeftToOtherProcesses() async throws {
        let bench = TestBench { platform, _, _ in
            platform == .fcm
                ? .now(.retry(after: .seconds(3), cause: .throttled))
                : .late(.seconds(9), .accepted)
        }
        let (cause, part) = try await work(
            on: bench, people: 6, platforms: [.apns, .fcm],
            delivery: DeliveryPolicy(
                rate: nil, concurrency: 4, retry: RetryLimits(attempts: 3, duration: .seconds(2)))
        ) { _, _ in RunNews(state: .running, hasFree: true) }
        #expect(cause.isPause(.throttled))
        #expect(bench.timesSent(on: .apns).count == 6)
        #expect(Set(part.leftToOthers[.fcm] ?? []) == Set(1...6))
        #expect(part.leftToOthers[.apns] == nil)
    }

    @Test("After a rate is lowered, the pace falls as pages with the higher rate end")
    func afterARateIsLoweredThePaceFallsAsPagesWithTheHigherRateEnd() {
        var out = InFlight()
        func add(_ count: Int, at rate: Double) -> Int {
            out.add(
                (1...count).map { Attempt([.fresh($0)]) }[...], of: nil, on: .apns, from: .zero,
                at: rate)
        }
        var paces = [out.pace(at: 100)]
        let first = add(60, at: 100)
        paces.append(out.pace(at: 100))
        _ = add(25, at: 50)
        paces.append(out.pace(at: 50))
        _ = out.take((0..<59).map { PushResult(number: $0, disposition: .accepted) }, of: first)
        paces.append(out.pace(at: 50))
        _ = out.close(first)
        paces.append(out.pace(at: 50))
        #expect(paces == [100, 100, 100, 51, 50])
    }

    @Test("A higher rate is reported before it is used")
    func higherRateIsReportedBeforeItIsUsed() async throws {
        let bench = TestBench()
        let part = ScriptedPart(bench.ledger) { _, _ in RunNews(state: .running) }
        var share = RunShare(part, Timeline(bench.clock))
        let heartbeat = try #require(share.heartbeat)
        var out = InFlight()
        func tell() async throws {
            share.tell(
                OutcomeJournal(outcomes: OutcomeCounts(), requests: 0),
                PageScheduler(platforms: [.apns], policy: DeliveryPolicy()), &out)
            try await heartbeat.exchange()
        }
        try await tell()
        // Meanwhile, the engine waits for the ledger and reports nothing.
        for rate in [50.0, 100, 20] {
            _ = share.hear(RunNews(state: .running, rate: rate), asked: 0, out: out)
            try await heartbeat.exchange()
        }
        try await tell()
        #expect(part.reports.map(\.rate) == [nil, 50, 100, 100, 20])
    }

    // MARK: The heartbeat

    @Test("Closed pages are reported until the ledger has them")
    func closedPagesAreReportedUntilTheLedgerHasThem() async throws {
        let clock = TestClock()
        let events = EventQueue<RunEvent>()
        let part = ScriptedPart(FaultyLedger(clock: clock)) { _, number in
            if number == 1 { throw ScriptedPart.Away() }
            return RunNews(state: .running)
        }
        let heartbeat = WorkerHeartbeat(part, Timeline(clock), events)
        heartbeat.tell(WorkerReport(requests: 2), closed: [4, 5])
        let beating = Task { await heartbeat.beat() }
        guard case .news(_, asked: 0) = await events.receive().first else {
            Issue.record("no news")
            return
        }
        #expect(part.reports.prefix(2).map(\.closed) == [[4, 5], [4, 5]])
        let asked = heartbeat.ask()
        var heard = 0
        while heard < asked {
            for case .news(_, let number) in await events.receive() { heard = number }
        }
        #expect(part.reports.last?.closed == [])
        #expect(part.reports.last?.requests == 2)
        beating.cancel()
        await beating.value
    }

    @Test("Throttling is reported before the next heartbeat")
    func throttlingIsReportedBeforeTheNextHeartbeat() async throws {
        let clock = TestClock()
        // No heartbeat is ever due.
        clock.hold()
        let events = EventQueue<RunEvent>()
        let part = ScriptedPart(FaultyLedger(clock: clock)) { _, _ in RunNews(state: .running) }
        let heartbeat = WorkerHeartbeat(part, Timeline(clock), events)
        let beating = Task { await heartbeat.beat() }
        _ = await events.receive()

        heartbeat.slowDown([.apns: PlatformTraffic(answers: 5, throttled: 2)])
        _ = await events.receive()
        // The next heartbeat reports these pages; the one after it reports nothing new.
        heartbeat.slowDown([.apns: PlatformTraffic(answers: 9, throttled: 4)])
        for _ in 1...2 {
            _ = heartbeat.ask()
            _ = await events.receive()
        }
        heartbeat.slowDown([.apns: PlatformTraffic(answers: 30, throttled: 5)])
        _ = await events.receive()

        let told = part.reports.map { $0.traffic[.apns]?.throttled ?? 0 }
        #expect(told == [0, 2, 4, 4, 5])
        beating.cancel()
        await beating.value
    }

    @Test("Throttled responses cause at most one extra heartbeat each")
    func throttledResponsesCauseAtMostOneExtraHeartbeatEach() async throws {
        let bench = TestBench()
        let clock = bench.clock
        bench.sender.answer { _, _, _ in
            clock.elapsed < .seconds(20)
                ? .now(.retry(after: .milliseconds(100), cause: .throttled)) : .now(.accepted)
        }
        let start = clock.elapsed
        let (cause, part) = try await work(on: bench, people: 5) { _, _ in
            RunNews(state: .running)
        }
        #expect(cause == .complete)
        let time = (clock.elapsed - start) / .seconds(1)
        let throttled = part.reports.last?.traffic[.apns]?.throttled ?? 0
        #expect(throttled > 5)
        #expect(Double(part.reports.count) <= time * 2 + Double(throttled) + 6)
    }

    @Test("A ledger that stays unavailable stops the work")
    func ledgerThatStaysUnavailableStopsTheWork() async throws {
        let clock = TestClock()
        let events = EventQueue<RunEvent>()
        let part = ScriptedPart(FaultyLedger(clock: clock)) { _, _ in throw ScriptedPart.Away() }
        let heartbeat = WorkerHeartbeat(part, Timeline(clock), events)
        let beating = Task { await heartbeat.beat() }
        guard case .partFailed(is ScriptedPart.Away) = await events.receive().first else {
            Issue.record("it goes on")
            return
        }
        #expect(clock.elapsed >= WorkerHeartbeat.patience)
        await beating.value
    }
}

extension EndCause {
    fileprivate func isPause(_ expected: PauseCause) -> Bool {
        if case .paused(let pause) = self { pause.cause == expected } else { false }
    }
}
