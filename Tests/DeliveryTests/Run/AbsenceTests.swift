import CampaignCore
import Delivery
import FoundationEssentials
import InMemoryLogging
import Logging
import TestSupport
import Testing

@Suite(.bounded) struct AbsenceTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    @Test(
        "A run gives up on an absent hub after the same time, whatever the audience size",
        arguments: [1, 6, 1_000])
    func runGivesUpOnAnAbsentHubAfterTheSameTimeWhateverTheAudience(count: Int) async throws {
        let bench = TestBench { _, _, _ in .now(Self.unreachable, "connection refused") }
        let summary = try await bench.run(
            TestBench.campaign(delivery: DeliveryPolicy(rate: nil)),
            people: ListedAudience.people(count: count))
        let reason = try #require(summary.result.reason(toPause: .unreachable))
        #expect(reason.contains("(connection refused)"))
        let later = bench.sender.sent.filter { $0.at > .zero }
        #expect(later.count == 4, "one push for each try after the first")
        #expect(Set(later.map(\.page)).count == 4)
        #expect(bench.clock.elapsed <= .seconds(31), "1 + 2 + 4 + 8 seconds, for run and push")
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: count]))
    }

    @Test("A hub that sends no responses is tried with one push at a time")
    func hubThatSendsNoResponsesIsTriedWithOnePushAtATime() async throws {
        let bench = TestBench { _, _, _ in .now(.unknown, "HTTP 502") }
        let policy = DeliveryPolicy(
            rate: 50, concurrency: 4, retry: RetryLimits(attempts: 4), onUnknown: .resend)
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(count: 1_000))
        let reason = try #require(summary.result.reason(toPause: .unanswering))
        #expect(reason.contains("(HTTP 502)"))
        // A page has twenty-five pushes; twenty lost responses in a row mean that the hub is
        // unavailable.
        #expect(bench.timesSent().count == 25)
        #expect(bench.sender.sent.count == 25 + 3)
    }

    @Test("The reason for waiting and the hub's return are logged once")
    func reasonForWaitingAndTheHubsReturnAreLoggedOnce() async throws {
        let bench = TestBench()
        let clock = bench.clock
        bench.sender.answer { _, _, _ in
            switch clock.elapsed {
            case ..<(.seconds(6)): .now(Self.unreachable, "the name hub.example does not resolve")
            case ..<(.seconds(20)): .now(Self.unreachable, "connection refused")
            default: .now(.accepted)
            }
        }
        let (summary, told) = try await noticed(
            on: bench, by: DeliveryPolicy(retry: RetryLimits(attempts: 100)), people: 200)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 200]))

        #expect(
            told.map(\.message.description) == [
                "Waiting for the hub: the name hub.example does not resolve",
                "Waiting for the hub: connection refused", "The hub is answering again",
            ])
        #expect(told.allSatisfy { $0.level == .notice }, "a run that ends well warns of nothing")
        let troubles = bench.progress.all.map(\.trouble)
        #expect(troubles.contains(.unreachable("the name hub.example does not resolve")))
        #expect(troubles.last == .some(nil))
    }

    @Test(
        "The reason for waiting says whether responses are missing or are errors",
        arguments: [
            (Self.unreachable, ["it has not answered", "it cannot be reached"]),
            (.unknown, ["it has not answered"]),
        ])
    func reasonForWaitingSaysWhetherResponsesAreMissingOrAreErrors(
        disposition: PushDisposition, waitsFor: [String]
    ) async throws {
        let bench = TestBench { _, _, _ in .late(.seconds(10), disposition) }
        let (summary, told) = try await noticed(
            on: bench, by: DeliveryPolicy(retry: RetryLimits(attempts: 2)), people: 2)
        #expect(summary.outcomes == OutcomeCounts([.notAttempted: 2]))
        #expect(told.map(\.message.description) == waitsFor.map { "Waiting for the hub: \($0)" })
    }

    /// Sends a staged run; returns its log entries of level `notice` and above.
    private func noticed(
        on bench: TestBench, by policy: DeliveryPolicy, people: Int
    ) async throws -> (RunSummary, [InMemoryLogHandler.Entry]) {
        let log = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in log }
        logger.logLevel = .trace
        let runner = bench.runner(logger: logger)
        let id = try await bench.stage(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(count: people))
        let summary = try await runner.resume(id, at: TestBench.hub)
        return (summary, log.entries.filter { $0.level >= .notice })
    }

    @Test("An interruption says what the run was waiting for")
    func interruptionSaysWhatTheRunWasWaitingFor() async throws {
        let bench = TestBench()
        let clock = bench.clock
        let (reached, opened) = (Signal(), Signal())
        bench.sender.answer { _, _, _ in
            if clock.elapsed > .seconds(2) {
                reached.happen()
                await opened.wait()
            }
            return .now(Self.unreachable, "connection refused")
        }
        let task = Task {
            try await bench.run(
                TestBench.campaign(delivery: DeliveryPolicy(retry: RetryLimits(attempts: 100))),
                people: ListedAudience.people(count: 20))
        }
        await reached.wait()
        task.cancel()
        opened.happen()
        let summary = try await task.value
        #expect(
            summary.record.reason
                == "Interrupted while the hub could not be reached: connection refused; "
                + "pushes in flight have ended, and everything is saved.")
        #expect(summary.result.reason(toPause: .cancelled) != nil)
    }

    @Test("A silent hub is reported within seconds")
    func silentHubIsReportedWithinSeconds() async throws {
        let bench = TestBench { _, _, _ in .late(.seconds(15), .accepted) }
        let summary = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice"]))
        #expect(summary.result == .finished)
        let troubles = bench.progress.all.compactMap(\.trouble)
        #expect(!troubles.isEmpty)
        for trouble in troubles {
            guard case .silent(let since) = trouble else {
                Issue.record("\(trouble)")
                continue
            }
            // The engine reads two clocks one after the other; time may pass in between.
            #expect(abs(since.timeIntervalSince(TestBench.start)) <= 1)
        }
        #expect(
            HubTrouble.silent(since: TestBench.start).text(
                at: TestBench.start.addingTimeInterval(7)
            ) { _ in "" }
                == "it has not answered for 7 s")
    }

    @Test("While the hub is throttling, the time of the next try is reported")
    func whileTheHubIsThrottlingTheTimeOfTheNextTryIsReported() async throws {
        let bench = TestBench { _, _, attempt in
            attempt == 1
                ? .now(.retry(after: .seconds(30), cause: .throttled), "HTTP 429") : .now(.accepted)
        }
        let summary = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice", "bob"]))
        #expect(summary.result == .finished)
        let troubles = bench.progress.all.compactMap(\.trouble)
        let until = TestBench.start.addingTimeInterval(30)
        let trouble = try #require(troubles.first)
        #expect(trouble == .throttled(until: until))
        #expect(
            trouble.text(at: TestBench.start) { $0 == until ? "09:14:02" : "another time" }
                == "it is throttling until 09:14:02")
    }
}
