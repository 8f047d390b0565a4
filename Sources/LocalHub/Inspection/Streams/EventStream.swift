import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// A stream of server-sent events that ends when the client disconnects, the hub shuts down, or the
/// hub is deleted.
protocol EventStream: Sendable {
    /// Writes events until the stream ends; `request` is the body of the request, which ends when
    /// the client disconnects.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter, until request: RequestBody) async throws
}

extension EventStream {
    func response(to request: RequestBody) -> Response {
        Response(
            status: .ok, headers: InspectionFields.make("text/event-stream"),
            body: ResponseBody { writer in
                do {
                    try await write(to: &writer, until: request)
                } catch let error as ChannelError where error == .ioOnClosedChannel {
                    // The client disconnected during a write, which is a normal end.
                }
                try await writer.finish(nil)
            })
    }

    /// An event as it is sent; a client that reconnects sends the id of the last event as
    /// `Last-Event-ID`.
    static func event(_ name: String, id: Int? = nil, _ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(value), as: UTF8.self)
        // JSON escapes line breaks in strings, so the data is a single line.
        return (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(json)\n\n"
    }
}

extension RequestBody {
    /// Runs work at intervals until the client disconnects, the hub shuts down, or the task is
    /// cancelled.
    ///
    /// `end` can be called more than once.
    func beat(
        every interval: Duration, by sleep: @Sendable (Duration) async throws -> Void,
        _ beat: @Sendable () -> Void, onEnd end: @escaping @Sendable () -> Void
    ) async throws {
        defer { end() }
        try await consumeWithInboundCloseHandler { _ in
            try await withTaskCancellationOrGracefulShutdownHandler {
                while true {
                    try await sleep(interval)
                    beat()
                }
            } onCancelOrGracefulShutdown: {
                end()
            }
        } onInboundClosed: {
            end()
        }
    }
}

extension ConcurrencyLimit {
    /// Takes a permit for an event stream or waiting request; throws a 503 if none is left.
    func take() throws(HubFailure) -> Permit {
        guard let permit = permit() else { throw .tooManyStreams }
        return permit
    }
}

extension HubFailure {
    fileprivate static let tooManyStreams = HubFailure(
        status: .serviceUnavailable,
        detail: "This hub has too many open event streams and waiting requests; close some, or "
            + "poll for new messages.",
        headers: ["Retry-After": "1"])
}
