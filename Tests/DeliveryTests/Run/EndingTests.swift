import CampaignCore
import Delivery
import FoundationEssentials
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct EndingTests {
    private func details(_ bench: TestBench, _ summary: RunSummary) async throws -> Set<String> {
        let rows = try await bench.ledger.rows(of: summary.record.id).values
        return Set(rows.filter { $0.state == .ended(.skipped) }.map(\.detail))
    }

    @Test("Deliveries left after `finish_within` are skipped as too late")
    func deliveriesLeftAfterFinishWithinAreSkippedAsTooLate() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(
            delivery: DeliveryPolicy(rate: 1, finishWithin: .seconds(10)))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 100))
        #expect(summary.result == .finished)
        #expect((10...11).contains(summary.outcomes[.accepted]))
        #expect(summary.outcomes[.skipped] == 100 - summary.outcomes[.accepted])
        #expect(summary.outcomes.tooLate == summary.outcomes[.skipped])
        let details = try await details(bench, summary)
        #expect(details.count == 1)
        #expect(details.first?.hasPrefix("too late: finish_within ended at") == true)
    }

    @Test("An expired payload is not sent") func expiredPayloadIsNotSent() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(
            expiresAfter: .seconds(5), delivery: DeliveryPolicy(rate: 1))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 20))
        #expect(summary.result == .finished)
        #expect((5...6).contains(summary.outcomes[.accepted]))
        #expect(summary.outcomes.expired == summary.outcomes[.skipped])
        #expect(try await details(bench, summary).first?.hasPrefix("expired: ") == true)
        #expect(bench.sender.sent.allSatisfy { $0.at < .seconds(5) })
    }

    @Test("A push that may have been sent ends as unknown, not as skipped")
    func pushThatMayHaveBeenSentEndsAsUnknownNotAsSkipped() async throws {
        let bench = TestBench { _, _, _ in .now(.unknown) }
        let campaign = try TestBench.campaign(
            delivery: DeliveryPolicy(
                rate: 1, retry: RetryLimits(attempts: 100), finishWithin: .seconds(5)))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 20))
        #expect(summary.outcomes[.unknown] > 1)
        #expect(summary.outcomes[.unknown] + summary.outcomes[.skipped] == 20)
    }

    @Test("Only resume continues a stopped run")
    func onlyResumeContinuesAStoppedRun() async throws {
        let bench = TestBench()
        bench.sender.answer { [ledger = bench.ledger] _, user, _ in
            if user.text == "u00003" {
                let runs = try? await ledger.runs(campaign: nil, limit: 1)
                if let run = runs?.first { try? await ledger.requestStop(run.id, .resumable) }
            }
            return .now(.accepted)
        }
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 2))
        let people = ListedAudience.people(count: 20)
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.result == .stopped)
        #expect(summary.record.state == .stopped)
        #expect((3...5).contains(summary.outcomes[.accepted]))

        await #expect(throws: RunError.stopped(summary.record.id)) {
            try await bench.run(campaign, people: people)
        }
        let faster = DeliveryPolicy(rate: 100)
        let changed = try TestBench.campaign(delivery: faster)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let resumed = try await bench.runner.resume(
            summary.record.id, at: TestBench.hub, campaign: changed)
        #expect(resumed.result == .finished)
        #expect(resumed.record.delivery == faster)
        #expect(resumed.outcomes == OutcomeCounts([.accepted: 20]))
        #expect(bench.timesSent().values.allSatisfy { $0 == 1 })
    }

    @Test("Stop requests are checked about twice a second")
    func stopRequestsAreCheckedAboutTwiceASecond() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 10))
        _ = try await bench.run(campaign, people: ListedAudience.people(count: 100))
        let checks = Double(await bench.ledger.stopChecks)
        let seconds: Double = bench.clock.elapsed / .seconds(1)
        #expect(checks >= seconds)
        #expect(checks <= 2 * seconds + 2)
    }

    @Test("Resuming a finished run does nothing")
    func resumingAFinishedRunDoesNothing() async throws {
        let bench = TestBench()
        let summary = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice"]))
        let resumed = try await bench.runner.resume(summary.record.id, at: TestBench.hub)
        #expect(resumed.result == .alreadyFinished)
        #expect(bench.sender.sent.count == 1)
    }

    @Test("A missing or unstaged run cannot be resumed")
    func missingOrUnstagedRunCannotBeResumed() async throws {
        let bench = TestBench()
        let missing = RunID(checked: "20260101T000000Z-aaaaaa")
        await #expect(throws: RunError.noSuchRun(missing)) {
            try await bench.runner.resume(missing, at: TestBench.hub)
        }
        await bench.ledger.fail(.append, after: 0)
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(TestBench.campaign(), people: ListedAudience.people(["alice"]))
        }
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        await #expect(throws: RunError.notStaged(run.id, campaign: "spring")) {
            try await bench.runner.resume(run.id, at: TestBench.hub)
        }
    }

    @Test("A run is finished even if its last response would otherwise pause it")
    func runIsFinishedEvenIfItsLastResponseWouldOtherwisePauseIt() async throws {
        let bench = TestBench { _, _, _ in .now(.unknown) }
        let campaign = try TestBench.campaign(
            kind: .alert, message: "Hi", delivery: DeliveryPolicy(concurrency: 4))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 20))
        #expect(
            summary.result == .finished, "the twentieth lost answer would pause, but was the last")
        #expect(summary.outcomes == OutcomeCounts([.unknown: 20]))
    }
}
