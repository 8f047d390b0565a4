import CoreMetrics
import Synchronization
import TestSupport
import Testing

@testable import NotificationHubs

/// What a client counts, and that nothing private is in its labels.
@Suite(.bounded) struct InstrumentsTests {
    private final class Counts: MetricsFactory, Sendable {
        private let counts = Mutex<[String: Int64]>([:])

        var all: [String: Int64] { counts.withLock { $0 } }

        func add(_ amount: Int64, to name: String) {
            counts.withLock { $0[name, default: 0] += amount }
        }

        private func name(_ label: String, _ dimensions: [(String, String)]) -> String {
            ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            Handler(counts: self, name: name(label, dimensions))
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            Handler(counts: self, name: name(label, dimensions))
        }

        func makeRecorder(
            label: String, dimensions: [(String, String)], aggregate: Bool
        ) -> any RecorderHandler {
            NOOPMetricsHandler.instance.makeRecorder(
                label: label, dimensions: dimensions, aggregate: aggregate)
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    private final class Handler: CounterHandler, TimerHandler {
        private let counts: Counts
        private let name: String

        init(counts: Counts, name: String) {
            self.counts = counts
            self.name = name
        }

        func increment(by amount: Int64) { counts.add(amount, to: name) }
        func reset() {}
        func recordNanoseconds(_ duration: Int64) { counts.add(1, to: name) }
    }

    @Test func requestsAreCountedByOperationAndStatus() async throws {
        let counts = Counts()
        try await ScriptedHub.with(script: { number, _ in
            number == 0 ? .status(500) : .accepted
        }) { hub in
            try await NotificationHubClient.with(
                hub.connectionString(), retries: RetryPolicy(initialBackoff: .zero),
                instruments: HubInstruments(metrics: counts)
            ) { client in
                try await client.put(Installation(id: "i", channel: .apple(deviceToken: "AB")))
                _ = try await client.sendExample()
            }
        }
        var expected: [String: Int64] = [:]
        for metric in ["notification_hubs_requests", "notification_hubs_request_duration"] {
            expected["\(metric) operation=writing of an installation status=5xx"] = 1
            expected["\(metric) operation=writing of an installation status=2xx"] = 1
            expected["\(metric) operation=send status=2xx"] = 1
        }
        #expect(counts.all == expected)
    }

    @Test func pushesInBulkAreCountedByOutcome() async throws {
        let counts = Counts()
        try await ScriptedHub.with(script: { _, request in
            request["ServiceBusNotification-Tags"] == "user:0" ? .status(400) : .accepted
        }) { hub in
            try await NotificationHubClient.with(
                hub.connectionString(), instruments: HubInstruments(metrics: counts)
            ) { client in
                var bulk = try BulkSend(format: .apple)
                for user in 0..<10 {
                    try bulk.add(Array("{}".utf8), to: TagExpression(Tag("user:\(user)")))
                }
                for await _ in client.send(bulk) {}
            }
        }
        #expect(
            counts.all == [
                "notification_hubs_pushes outcome=accepted": 9,
                "notification_hubs_pushes outcome=rejected": 1,
            ])
    }
}
