import CoreMetrics
import InMemoryTracing
import Synchronization
import TestSupport
import Testing
import Tracing

@testable import NotificationHubs

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

    private static func putAfterAFailureAndSend(_ instruments: HubInstruments) async throws {
        try await NotificationHubClient.with(
            script: { number, _ in number == 0 ? .status(500) : .accepted },
            retries: RetryPolicy(initialBackoff: .zero), instruments: instruments
        ) { client, _ in
            try await client.put(Installation(id: "i", channel: .apple(deviceToken: "AB")))
            _ = try await client.sendExample()
        }
    }

    @Test("Requests are counted by operation and status")
    func requestsAreCountedByOperationAndStatus() async throws {
        let counts = Counts()
        try await Self.putAfterAFailureAndSend(HubInstruments(metrics: counts))
        var expected: [String: Int64] = [:]
        for metric in ["notification_hubs_requests", "notification_hubs_request_duration"] {
            expected["\(metric) operation=writing of an installation status=5xx"] = 1
            expected["\(metric) operation=writing of an installation status=2xx"] = 1
            expected["\(metric) operation=send status=2xx"] = 1
        }
        #expect(counts.all == expected)
    }

    @Test("Bulk pushes are counted by outcome") func bulkPushesAreCountedByOutcome() async throws {
        let counts = Counts()
        try await NotificationHubClient.with(
            script: { _, request in
                request["ServiceBusNotification-Tags"] == "user:0" ? .status(400) : .accepted
            }, instruments: HubInstruments(metrics: counts)
        ) { client, _ in
            var bulk = try BulkSend(format: .apple)
            for user in 0..<10 {
                try bulk.add(Array("{}".utf8), to: TagExpression(Tag("user:\(user)")))
            }
            for await _ in client.send(bulk) {}
        }
        #expect(
            counts.all == [
                "notification_hubs_pushes outcome=accepted": 9,
                "notification_hubs_pushes outcome=rejected": 1,
            ])
    }

    @Test("One span covers all requests of an operation")
    func oneSpanCoversAllRequestsOfAnOperation() async throws {
        let tracer = InMemoryTracer()
        try await Self.putAfterAFailureAndSend(HubInstruments(tracer: tracer))
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["writing of an installation", "send"])
        for span in spans {
            #expect(span.kind == .client)
            // The last request succeeded.
            #expect(span.status == nil)
            #expect(span.attributes.isEmpty && span.errors.isEmpty && span.events.isEmpty)
        }
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("A span belongs to the trace of its caller")
    func spanBelongsToTheTraceOfItsCaller() async throws {
        let tracer = InMemoryTracer()
        try await NotificationHubClient.with(
            instruments: HubInstruments(tracer: tracer)
        ) { client, _ in
            try await tracer.withSpan("campaign") { _ in
                _ = try await client.sendExample()
            }
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["send", "campaign"])
        #expect(spans.first?.parentSpanID == spans.last?.spanID)
        #expect(spans.first?.traceID == spans.last?.traceID)
    }

    @Test("A failed operation marks its span and records only the status")
    func failedOperationMarksItsSpanAndRecordsOnlyTheStatus() async throws {
        let tracer = InMemoryTracer()
        try await NotificationHubClient.with(
            answering: .status(400), instruments: HubInstruments(tracer: tracer)
        ) { client, _ in
            _ = await #expect(throws: HubError.self) { try await client.sendExample() }
        }
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1 && tracer.activeSpans.isEmpty)
        #expect(span.status?.code == .error && span.status?.message == nil)
        #expect(span.attributes.count == 1)
        #expect(span.attributes.get("http.response.status_code") == .int64(400))
        // A recorded error would include the hub's text.
        #expect(span.errors.isEmpty && span.events.isEmpty)
    }

    @Test("Bulk pushes have no spans") func bulkPushesHaveNoSpans() async throws {
        let tracer = InMemoryTracer()
        try await NotificationHubClient.with(
            instruments: HubInstruments(tracer: tracer)
        ) { client, _ in
            var bulk = try BulkSend(format: .apple)
            try bulk.add(Array("{}".utf8), to: TagExpression(Tag("user:1")))
            for await _ in client.send(bulk) {}
        }
        #expect(tracer.finishedSpans.isEmpty && tracer.activeSpans.isEmpty)
    }
}
