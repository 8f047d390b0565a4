import CampaignCore
public import CoreMetrics
public import Tracing

/// The metrics factory and tracer that a client uses.
///
/// | Metric | Kind | Labels |
/// |---|---|---|
/// | `notification_hubs_requests` | counter | `operation`, `status`: `2xx` to `5xx`, or `none` without a response |
/// | `notification_hubs_request_duration` | timer | the same |
/// | `notification_hubs_pushes` | counter of bulk pushes | `outcome`: `accepted`, `rejected`,
/// `retry`, `unknown`, `stop`, `not_sent` |
///
/// Each operation except bulk pushes has one span. No label or attribute contains a user's name,
/// tag, handle, id or address.
public struct HubInstruments: Sendable {
    private let metrics: any MetricsFactory
    private let tracer: any Tracer

    /// Creates instruments from a metrics factory and a tracer.
    public init(
        metrics: any MetricsFactory = MetricsSystem.factory,
        tracer: any Tracer = InstrumentationSystem.tracer
    ) {
        self.metrics = metrics
        self.tracer = tracer
    }

    func trace<Value>(
        _ operation: String, _ work: () async throws(HubError) -> Value
    ) async throws(HubError) -> Value {
        let span = tracer.startAnySpan(operation, ofKind: .client)
        defer { span.end() }
        do throws(HubError) {
            return try await work()
        } catch {
            span.attributes["http.response.status_code"] = error.status
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    func measure<Value>(
        _ operation: String, _ request: () async throws(HubError) -> Value
    ) async throws(HubError) -> Value {
        let start = ContinuousClock.now
        do throws(HubError) {
            let value = try await request()
            record(operation, "2xx", since: start)
            return value
        } catch {
            record(operation, error.status.map { "\($0 / 100)xx" } ?? "none", since: start)
            throw error
        }
    }

    func count(_ batch: [PushResult]) {
        var (accepted, rejected, retry, unknown, stop, notSent) = (0, 0, 0, 0, 0, 0)
        for result in batch {
            switch result.disposition {
            case .accepted: accepted += 1
            case .rejected: rejected += 1
            case .retry: retry += 1
            case .unknown: unknown += 1
            case .stop: stop += 1
            case .notSent: notSent += 1
            }
        }
        for (outcome, count) in [
            ("accepted", accepted), ("rejected", rejected), ("retry", retry),
            ("unknown", unknown), ("stop", stop), ("not_sent", notSent),
        ] where count > 0 {
            Counter(
                label: "notification_hubs_pushes", dimensions: [("outcome", outcome)],
                factory: metrics
            ).increment(by: count)
        }
    }

    private func record(
        _ operation: String, _ status: String, since start: ContinuousClock.Instant
    ) {
        let labels = [("operation", operation), ("status", status)]
        Counter(label: "notification_hubs_requests", dimensions: labels, factory: metrics)
            .increment()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        Timer(label: "notification_hubs_request_duration", dimensions: labels, factory: metrics)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
