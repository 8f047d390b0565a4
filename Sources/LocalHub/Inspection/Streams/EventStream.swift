import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// A stream of server-sent events; it ends when the client goes away, the hub shuts down, or is deleted.
protocol EventStream: Sendable {
    /// Writes events until the end; `request` is the body of the request, which shows when the
    /// client goes away.
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
                    // The client went away in the middle of a write: an ordinary end.
                }
                try await writer.finish(nil)
            })
    }

    /// An event as it goes out; a client repeats its id as `Last-Event-ID`.
    static func event(_ name: String, id: Int? = nil, _ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(value), as: UTF8.self)
        // JSON escapes line breaks within texts, so it is one line.
        return (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(json)\n\n"
    }
}

extension RequestBody {
    /// Does something at intervals until the client goes away, the hub shuts down, or the task is
    /// cancelled.
    ///
    /// `end` may be called more than once.
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
    /// Takes a permit for an event stream or a wait; throws a 503 when all are taken.
    func take() throws(HubFailure) -> Permit {
        guard let permit = permit() else { throw .tooManyStreams }
        return permit
    }
}

extension HubFailure {
    fileprivate static let tooManyStreams = HubFailure(
        status: .serviceUnavailable,
        detail: "Too many event streams and waits for messages are open at this hub; close one, or "
            + "ask for what is new.",
        headers: ["Retry-After": "1"])
}
