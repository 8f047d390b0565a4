import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct RetryTests {
    private let people = ListedAudience.people(["alice", "bob", "carol"])

    private func rows(_ bench: TestBench, _ summary: RunSummary) async throws -> [FaultyLedger.Row]
    {
        let rows = try await bench.ledger.rows(of: summary.record.id)
        return rows.sorted { $0.key.number < $1.key.number }.map(\.value)
    }

    @Test("A rejected push is not sent again") func rejectedPushIsNotSentAgain() async throws {
        let bench = TestBench { _, user, _ in
            user.text == "bob" ? .now(.rejected, "HTTP 400 bad body") : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, .rejected: 1]))
        #expect(try await rows(bench, summary)[1].detail == "HTTP 400 bad body")
        #expect(bench.timesSent()["bob"] == 1)
    }

    @Test(
        "A push that did not succeed is sent again later",
        arguments: [
            PushDisposition.retry(after: nil, cause: .throttled),
            .retry(after: .seconds(7), cause: .throttled), .retry(after: nil, cause: .unreachable),
            .unknown, .notSent,
        ])
    func pushThatDidNotSucceedIsSentAgainLater(disposition: PushDisposition) async throws {
        let bench = TestBench { _, user, attempt in
            user.text == "bob" && attempt < 3 ? .now(disposition) : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 3]))
        let times = bench.sender.sent.filter { $0.username.text == "bob" }.map(\.at)
        #expect(times.count == 3)
        let least: Duration =
            disposition == .retry(after: .seconds(7), cause: .throttled)
            ? .seconds(7) : .milliseconds(500)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= least })
        let bob = try await rows(bench, summary)[1]
        #expect(bob.attempts == (disposition == .notSent ? 1 : 3))
        #expect(bob.isUncertain == (disposition == .unknown))
        #expect(Set(bench.sender.sent.filter { $0.username.text == "bob" }.map(\.body)).count == 1)
    }

    @Test(
        "A push can run out of tries while others succeed",
        arguments: [(PushDisposition.unknown, Outcome.unknown, 5)])
    func pushCanRunOutOfTriesWhileOthersSucceed(
        disposition: PushDisposition, outcome: Outcome, attempts: Int
    ) async throws {
        let bench = TestBench { _, user, _ in
            user.text == "alice" ? .now(disposition, "no luck") : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, outcome: 1]))
        let alice = try await rows(bench, summary)[0]
        #expect(alice.attempts == attempts)
        #expect(alice.detail == "no luck")
    }

    @Test("Throttled pushes are limited by time, not by tries")
    func throttledPushesAreLimitedByTimeNotByTries() async throws {
        let policy = DeliveryPolicy(retry: RetryLimits(attempts: 2, duration: .seconds(600)))
        let bench = TestBench { _, user, attempt in
            user.text == "alice" && attempt <= 10
                ? .now(.retry(after: nil, cause: .throttled)) : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(delivery: policy), people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 3]))
        #expect(try await rows(bench, summary)[0].attempts == 11)
    }

    @Test(
        "If the hub sends no responses, the run pauses and loses nobody",
        arguments: [
            (PushDisposition.retry(after: nil, cause: .unreachable), PauseCause.unreachable),
            (.retry(after: .seconds(300), cause: .throttled), .throttled), (.unknown, .unanswering),
        ])
    func ifTheHubSendsNoResponsesTheRunPausesAndLosesNobody(
        disposition: PushDisposition, cause: PauseCause
    ) async throws {
        let bench = TestBench { _, _, _ in .now(disposition, "connection refused") }
        let campaign = try TestBench.campaign()
        let summary = try await bench.run(campaign, people: people)
        let reason = try #require(summary.result.reason(toPause: cause))
        #expect(reason.contains("(connection refused)"))
        #expect(summary.record.state == .paused)
        #expect(summary.record.reason == reason)
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: 3]))
        let states = try await rows(bench, summary).map(\.state)
        #expect(states.allSatisfy { $0 == .waiting })

        bench.sender.answer { _, _, _ in .now(.accepted) }
        let rerun = try await bench.run(campaign, people: people)
        #expect(rerun.record.id == summary.record.id)
        #expect(rerun.result == .finished)
        #expect(rerun.outcomes == OutcomeCounts([.accepted: 3]))
    }

    @Test("An alert whose response was lost is not shown twice")
    func alertWhoseResponseWasLostIsNotShownTwice() async throws {
        let bench = TestBench { _, user, _ in
            user.text == "bob" ? .now(.unknown, "HTTP 504") : .now(.accepted)
        }
        let campaign = try TestBench.campaign(kind: .alert, message: "Maintenance")
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, .unknown: 1]))
        #expect(bench.timesSent()["bob"] == 1)
    }

    @Test("Under hold, many lost responses in a row pause the run")
    func underHoldManyLostResponsesInARowPauseTheRun() async throws {
        let bench = TestBench { _, _, _ in .now(.unknown, "HTTP 500") }
        let campaign = try TestBench.campaign(
            kind: .alert, message: "Maintenance",
            delivery: DeliveryPolicy(rate: 10, concurrency: 4))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 100))
        #expect(summary.result.reason(toPause: .unanswering) != nil)
        #expect((20...25).contains(summary.outcomes[.unknown]))
        #expect(summary.outcomes[.notAttempted] == 100 - summary.outcomes[.unknown])
    }

    @Test(
        "A refusal by the hub pauses the run immediately",
        arguments: [
            (PushDisposition.StopCause.credentials, PauseCause.credentials),
            (.hubNotFound, .hubNotFound), (.notAHub, .notAHub), (.quota, .quota),
        ])
    func refusalByTheHubPausesTheRunImmediately(
        stop: PushDisposition.StopCause, cause: PauseCause
    ) async throws {
        let bench = TestBench { _, user, _ in
            user.text == "bob"
                ? .now(.stop(stop), "HTTP 401: no..TrackingId:1_G2") : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        let reason = try #require(summary.result.reason(toPause: cause))
        #expect(reason.contains("(HTTP 401: no)"), "\(reason)")
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1, .notAttempted: 2]))
        #expect(
            try await rows(bench, summary).map(\.state) == [.ended(.accepted), .waiting, .waiting])
        #expect(bench.timesSent()["carol"] == nil)
    }

    @Test("A hanging request does not delay others")
    func hangingRequestDoesNotDelayOthers() async throws {
        let bench = TestBench { _, user, _ in
            user.text == "u00001" ? .late(.seconds(30), .accepted) : .now(.accepted)
        }
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 100))
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 500))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 500]))
        let last = try #require(bench.sender.sent.map(\.at).max())
        #expect(last < .seconds(8))
        #expect(bench.clock.elapsed >= .seconds(30))
    }

    @Test("A push without a result counts as possibly sent")
    func pushWithoutAResultCountsAsPossiblySent() async throws {
        let bench = TestBench { _, user, attempt in
            user.text == "bob" && attempt == 1 ? .silence : .now(.accepted)
        }
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 3]))
        #expect(try await rows(bench, summary)[1].isUncertain)
        #expect(bench.timesSent()["bob"] == 2)
    }
}
