import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct RunStopperTests {
    private let people = ListedAudience.people(["alice", "bob"])

    private func dieWhileStaging(_ campaign: Campaign, _ bench: TestBench) async throws -> RunID {
        await bench.ledger.fail(.append, after: 0)
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(campaign, people: people)
        }
        await bench.ledger.recover()
        return try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first?.id)
    }

    @Test("A run without a process is stopped immediately")
    func runWithoutAProcessIsStoppedImmediately() async throws {
        let bench = TestBench()
        let id = try await bench.stage(TestBench.campaign(), people: people)
        #expect(try await bench.stopper.stop(id) == .stopped)
        #expect(try await bench.ledger.run(id)?.state == .stopped)
        #expect(try await bench.stopper.stop(id) == .alreadyStopped)
        #expect(bench.clock.elapsed == .zero)
        #expect(bench.lock.acquire(campaign: "spring") != nil, "the stopper gave the lock back")
    }

    @Test("A finished run cannot be stopped") func finishedRunCannotBeStopped() async throws {
        let bench = TestBench()
        let id = try await bench.run(TestBench.campaign(), people: people).record.id
        await #expect(throws: StopError.finished(id)) { try await bench.stopper.stop(id) }
        #expect(try await bench.ledger.stopRequest(id) == nil)
    }

    @Test("A missing run cannot be stopped") func missingRunCannotBeStopped() async throws {
        let missing = RunID(checked: "20260101T000000Z-aaaaaa")
        await #expect(throws: RunError.noSuchRun(missing)) {
            try await TestBench().stopper.stop(missing)
        }
    }

    @Test("A stop waits for the process that is sending the run")
    func stopWaitsForTheProcessThatIsSendingTheRun() async throws {
        let bench = TestBench()
        let id = try await bench.stage(
            TestBench.campaign(delivery: DeliveryPolicy(rate: 1)),
            people: ListedAudience.people(count: 500))
        let reached = Signal()
        bench.sender.answer { _, user, _ in
            if user.text == "u00003" { reached.happen() }
            return .now(.accepted)
        }
        let work = Task { try await bench.runner.resume(id, at: TestBench.hub) }
        await reached.wait()
        // The stopper has its own clock, because its polls would advance the run's clock.
        var stopper = bench.stopper
        stopper.clock = TestClock()
        #expect(try await stopper.stop(id, within: .seconds(1_000_000_000)) == .stopped)
        let summary = try await work.value
        #expect(summary.result == .stopped)
        #expect(summary.outcomes[.notAttempted] > 0)
        #expect(summary.outcomes[.accepted] >= 3)
    }

    @Test("A stop that times out leaves its request in the store")
    func stopThatTimesOutLeavesItsRequestInTheStore() async throws {
        let bench = TestBench()
        let id = try await bench.stage(TestBench.campaign(), people: people)
        let held = try #require(bench.lock.acquire(campaign: "spring"))
        await #expect(throws: StopError.timedOut(id, after: .seconds(10))) {
            try await bench.stopper.stop(id, within: .seconds(10))
        }
        #expect(try await bench.ledger.stopRequest(id) == .resumable)
        #expect(try await bench.ledger.run(id)?.state == .running)
        held.release()
    }

    @Test("An unstaged run stops once it is staged")
    func unstagedRunStopsOnceItIsStaged() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await dieWhileStaging(campaign, bench)
        #expect(try await bench.stopper.stop(id) == .stopsOnceStaged)
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.result == .stopped)
        #expect(bench.sender.sent.isEmpty)
        let resumed = try await bench.runner.resume(id, at: TestBench.hub)
        #expect(resumed.outcomes == OutcomeCounts([.accepted: 2]))
    }

    @Test("An unstaged rehearsal is stopped immediately")
    func unstagedRehearsalIsStoppedImmediately() async throws {
        let bench = TestBench()
        await bench.ledger.fail(.append, after: 0)
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(TestBench.campaign(), people: people, mode: .rehearsal)
        }
        await bench.ledger.recover()
        let id = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first?.id)
        #expect(try await bench.stopper.stop(id) == .stopped)
        #expect(try await bench.stopper.stop(id) == .alreadyStopped)
        #expect(try await bench.ledger.run(id)?.recipients == 0)
    }

    private func stop(_ bench: TestBench, _ id: RunID, _ mode: StopMode) async throws -> StopResult
    {
        try await bench.stopper.stop(id, mode: mode)
    }

    @Test(
        "A final stop ends a run permanently",
        arguments: [
            (StopMode.final, StopResult.ended, Outcome.notAttempted),
            (.revoking, .revoked, .skipped),
        ])
    func finalStopEndsARunPermanently(mode: StopMode, result: StopResult, left: Outcome)
        async throws
    {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        #expect(try await stop(bench, id, mode) == result)
        #expect(try await bench.ledger.run(id)?.state == .finished)
        #expect(
            try await bench.ledger.rows(of: id).values.map(\.state) == [.ended(left), .ended(left)])
        #expect(await bench.ledger.revoked == (mode == .revoking ? [id] : []))
        let rerun = try await bench.run(campaign, people: people)
        #expect(rerun.result == .alreadyFinished)
        #expect(bench.sender.sent.isEmpty)
    }

    @Test(
        "Ending a stopped run can be repeated after a crash",
        arguments: [StopMode.final, .revoking])
    func endingAStoppedRunCanBeRepeatedAfterACrash(mode: StopMode) async throws {
        let bench = TestBench()
        let id = try await bench.stage(TestBench.campaign(), people: people)
        #expect(try await stop(bench, id, .resumable) == .stopped)
        // The first attempt dies midway.
        await bench.ledger.failEverything(after: 4)
        await #expect(throws: FaultyLedger.DiskFull.self) { try await stop(bench, id, mode) }
        await bench.ledger.recover()
        #expect(try await stop(bench, id, mode) == (mode == .final ? .ended : .revoked))
        #expect(try await bench.ledger.run(id)?.state == .finished)
    }

    @Test("Pushes that may have been sent end as unknown", arguments: [StopMode.final, .revoking])
    func pushesThatMayHaveBeenSentEndAsUnknown(mode: StopMode) async throws {
        let bench = TestBench()
        let id = try await bench.stage(TestBench.campaign(), people: people)
        _ = try await bench.ledger.claimNext(id, platform: .apns, limit: 1)
        await bench.ledger.letGo()
        _ = try await stop(bench, id, mode)
        let outcomes = try await bench.ledger.outcomes(id)
        #expect(outcomes[.unknown] == 1)
    }

    @Test(
        "Ending an unstaged run leaves it without recipients",
        arguments: [StopMode.final, .revoking])
    func endingAnUnstagedRunLeavesItWithoutRecipients(mode: StopMode) async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await dieWhileStaging(campaign, bench)
        _ = try await stop(bench, id, mode)
        #expect(try await bench.ledger.run(id)?.state == .finished)
        #expect(try await bench.run(campaign, people: people).result == .alreadyFinished)
        #expect(bench.sender.sent.isEmpty)
    }

    @Test("A finished run of alerts cannot be revoked")
    func finishedRunOfAlertsCannotBeRevoked() async throws {
        let bench = TestBench()
        let id = try await bench.run(TestBench.campaign(kind: .alert), people: people).record.id
        await #expect(throws: StopError.shown(id)) { try await stop(bench, id, .revoking) }
        #expect(await bench.ledger.revoked.isEmpty)
    }

    @Test("A finished run can be revoked") func finishedRunCanBeRevoked() async throws {
        let bench = TestBench()
        let id = try await bench.run(TestBench.campaign(), people: people).record.id
        #expect(try await stop(bench, id, .revoking) == .revoked)
        #expect(await bench.ledger.revoked == [id])
        #expect(try await bench.ledger.outcomes(id) == OutcomeCounts([.accepted: 2]))
    }

    /// Even if the stop's process died, its request is carried out and nothing more is sent.
    @Test(
        "If a stop crashes, the next process ends the run", arguments: [StopMode.final, .revoking],
        0..<10)
    func ifAStopCrashesTheNextProcessEndsTheRun(mode: StopMode, calls: Int) async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        await bench.ledger.failEverything(after: calls)
        var isCertain = false
        do {
            _ = try await stop(bench, id, mode)
            isCertain = true
        } catch is FaultyLedger.DiskFull {}
        await bench.ledger.recover()
        let wasAsked = try await bench.ledger.stopRequest(id) == mode
        #expect(wasAsked || !isCertain)
        let summary = try await bench.run(campaign, people: people)
        #expect(try await bench.ledger.run(id)?.state == .finished)
        #expect(bench.sender.sent.isEmpty == wasAsked)
        guard wasAsked else { return }
        #expect([.ended, .finished, .alreadyFinished].contains(summary.result))
        let left: Outcome = mode == .final ? .notAttempted : .skipped
        #expect(try await bench.ledger.outcomes(id)[left] == 2)
        #expect(await bench.ledger.revoked == (mode == .revoking ? [id] : []))
    }

    @Test("The process that is sending a run ends it on request")
    func processThatIsSendingARunEndsItOnRequest() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 2))
        bench.sender.answer { [ledger = bench.ledger] _, user, _ in
            if user.text == "u00003" {
                do {
                    for run in try await ledger.runs(campaign: nil, limit: 1) {
                        try await ledger.requestStop(run.id, .final)
                    }
                } catch {
                    Issue.record(error)
                }
            }
            return .now(.accepted)
        }
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 20))
        #expect(summary.result == .ended)
        #expect(summary.record.state == .finished)
        #expect(summary.outcomes[.notAttempted] >= 15)
        #expect(try await bench.run(campaign, people: people).result == .alreadyFinished)
    }

    @Test("Resuming a run does not cancel a request to end it")
    func resumingARunDoesNotCancelARequestToEndIt() async throws {
        let bench = TestBench()
        let id = try await bench.stage(TestBench.campaign(), people: people)
        #expect(try await stop(bench, id, .resumable) == .stopped)
        try await bench.ledger.requestStop(id, .final)
        #expect(try await bench.runner.resume(id, at: TestBench.hub).result == .ended)
        #expect(bench.sender.sent.isEmpty)
    }

    /// The stop's process died before it revoked payloads, and nothing was left to send.
    @Test("A run with nobody left still revokes its payloads on request")
    func runWithNobodyLeftStillRevokesItsPayloadsOnRequest() async throws {
        let bench = TestBench()
        bench.sender.answer { [ledger = bench.ledger] _, _, _ in
            do {
                for run in try await ledger.runs(campaign: nil, limit: 1) {
                    try await ledger.requestStop(run.id, .revoking)
                }
            } catch {
                Issue.record(error)
            }
            return .late(.seconds(2), .accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2]))
        #expect(await bench.ledger.revoked == [summary.record.id])
    }
}
