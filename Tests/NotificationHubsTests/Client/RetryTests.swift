import Synchronization
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct RetryDelaysTests {
    private func delays(
        _ policy: RetryPolicy, after disposition: Disposition = .retry(after: nil),
        random: Double = 1
    ) -> [Duration] {
        var delays = RetryDelays(policy)
        var all: [Duration] = []
        while let delay = delays.next(after: disposition, random: random) { all.append(delay) }
        return all
    }

    @Test("Waits grow by the multiplier up to the maximum")
    func waitsGrowByTheMultiplierUpToTheMaximum() {
        let policy = RetryPolicy(
            attempts: 6, initialBackoff: .seconds(1), maximumBackoff: .seconds(5), multiplier: 2)
        #expect(
            delays(policy) == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    }

    @Test("The length of a wait is random, between zero and its maximum")
    func lengthOfAWaitIsRandomBetweenZeroAndItsMaximum() {
        let policy = RetryPolicy(attempts: 3, initialBackoff: .seconds(8), multiplier: 1)
        #expect(delays(policy, random: 0) == [.zero, .zero])
        #expect(delays(policy, random: 0.25) == [.seconds(2), .seconds(2)])
    }

    @Test("A retry waits at least as long as Retry-After")
    func retryWaitsAtLeastAsLongAsRetryAfter() {
        let policy = RetryPolicy(
            attempts: 3, initialBackoff: .seconds(1), multiplier: 2, retryAfterLimit: .seconds(20))
        #expect(delays(policy, after: .retry(after: .seconds(20))) == [.seconds(21), .seconds(22)])
        #expect(delays(policy, after: .retry(after: .seconds(21))) == [])
    }

    @Test(
        "Only a retryable failure is retried",
        arguments: [
            Disposition.accepted, .rejected, .unknown, .stop(.credentials), .stop(.hubNotFound),
        ])
    func onlyARetryableFailureIsRetried(disposition: Disposition) {
        #expect(delays(RetryPolicy(attempts: 10), after: disposition) == [])
    }

    @Test("RetryPolicy.none disables retries") func retryPolicyNoneDisablesRetries() {
        #expect(delays(.none) == [])
        #expect(delays(.standard).count == 2)
    }

    @Test("The retry budget shrinks with failures and recovers")
    func retryBudgetShrinksWithFailuresAndRecovers() {
        var budget = RetryBudget()
        for _ in 0..<4 { budget.recordFailure() }
        #expect(budget.allowsRetry)
        budget.recordFailure()
        #expect(!budget.allowsRetry)
        budget.recordSuccess()
        #expect(budget.allowsRetry)
        for _ in 0..<100 { budget.recordFailure() }
        for _ in 0..<50 { budget.recordSuccess() }
        #expect(!budget.allowsRetry)
        budget.recordSuccess()
        #expect(budget.allowsRetry)
    }
}

@Suite(.bounded) struct RetryTests {
    /// A clock that records the waits and returns immediately.
    private final class Waits: Sendable {
        private let waits = Mutex<[Duration]>([])
        private let isCancelled: Bool

        init(isCancelled: Bool = false) {
            self.isCancelled = isCancelled
        }

        var all: [Duration] { waits.withLock { $0 } }

        var environment: Retrier.Environment {
            Retrier.Environment(
                sleep: { delay in
                    self.waits.withLock { $0.append(delay) }
                    return !self.isCancelled
                }, random: { 0.5 })
        }
    }

    private func with(
        _ answers: [ScriptedAnswer], waits: Waits = Waits(), policy: RetryPolicy = .standard,
        _ use: (NotificationHubClient) async throws -> Void
    ) async throws -> (requests: Int, waits: [Duration]) {
        try await ScriptedHub.with(script: { number, _ in answers[min(number, answers.count - 1)] })
        { hub in
            try await NotificationHubClient.with(
                hub.connectionString(), retries: policy, retrying: waits.environment, use)
            return (hub.record.requests.count, waits.all)
        }
    }

    private static let installation = Installation(id: "i", channel: .apple(deviceToken: "AB"))
    private static let busy = ScriptedAnswer.status(429, [("Retry-After", "3")])

    @Test("A throttled write is retried") func throttledWriteIsRetried() async throws {
        let made = try await with([Self.busy, .status(500), .status(200)]) { client in
            try await client.put(Self.installation)
        }
        #expect(made.requests == 3)
        #expect(made.waits == [.milliseconds(3_250), .milliseconds(500)])
    }

    @Test("If all retries fail, the last error is thrown")
    func ifAllRetriesFailTheLastErrorIsThrown() async throws {
        let made = try await with([.status(500), .status(500), Self.busy]) { client in
            let error = await #expect(throws: HubError.self) {
                try await client.put(Self.installation)
            }
            #expect(error?.cause == .status(429))
        }
        #expect(made.requests == 3)
    }

    @Test("If Retry-After is over the limit, the call does not wait")
    func ifRetryAfterIsOverTheLimitTheCallDoesNotWait() async throws {
        let made = try await with([.status(429, [("Retry-After", "31")])]) { client in
            let error = await #expect(throws: HubError.self) {
                try await client.put(Self.installation)
            }
            #expect(error?.retryAfter == .seconds(31))
        }
        #expect(made.requests == 1)
        #expect(made.waits == [])
    }

    @Test("An operation that could take effect twice is never retried")
    func operationThatCouldTakeEffectTwiceIsNeverRetried() async throws {
        for answer in [Self.busy, .status(500), .close] {
            let made = try await with([answer]) { client in
                let tags = TagExpression(try Tag("a"))
                let kept = Registration(channel: .apple(deviceToken: "AB"))
                await #expect(throws: HubError.self) { try await client.sendExample() }
                await #expect(throws: HubError.self) { try await client.broadcast(.silent()) }
                await #expect(throws: HubError.self) {
                    try await client.send(.silent(), to: DeviceHandle("AB"))
                }
                await #expect(throws: HubError.self) {
                    try await client.testSend(.silent(), to: tags)
                }
                await #expect(throws: HubError.self) { try await client.create(kept) }
                await #expect(throws: HubError.self) {
                    try await client.deleteRegistration(id: "1", etag: "1")
                }
            }
            #expect(made.requests == 6)
            #expect(made.waits == [])
        }
    }

    @Test("The cancellation of a scheduled push is not repeated after a lost response")
    func cancellationOfAScheduledPushIsNotRepeatedAfterALostResponse() async throws {
        let lost = try await with([.close]) { client in
            await #expect(throws: HubError.self) { try await client.cancelScheduled(id: "1") }
        }
        #expect(lost.requests == 1)
        let putOff = try await with([Self.busy, .status(200)]) { client in
            let cancellation = try await client.cancelScheduled(id: "1")
            #expect(cancellation == .cancelled)
        }
        #expect(putOff.requests == 2)
    }

    @Test("Cancelling while a retry waits throws the hub's last error")
    func cancellingWhileARetryWaitsThrowsTheHubsLastError() async throws {
        let made = try await with([Self.busy], waits: Waits(isCancelled: true)) { client in
            let error = await #expect(throws: HubError.self) {
                try await client.put(Self.installation)
            }
            #expect(error?.cause == .status(429))
        }
        #expect(made.requests == 1)
        #expect(made.waits.count == 1)
    }

    @Test("A failing hub is not retried by every caller")
    func failingHubIsNotRetriedByEveryCaller() async throws {
        let made = try await with([.status(500)]) { client in
            for _ in 0..<10 {
                await #expect(throws: HubError.self) { try await client.put(Self.installation) }
            }
        }
        // Three requests, then two, then one for each of the other calls.
        #expect(made.requests == 13)
    }
}
