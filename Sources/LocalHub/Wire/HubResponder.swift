import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Passes requests from Hummingbird to the hub; delays the response or closes the connection if a
/// fault requires it.
struct HubResponder: HTTPResponder {
    private struct ConnectionEnded: Error {}

    let hub: Hub
    /// Logs one line per request at debug level, without tokens, headers or bodies.
    let logger: Logger

    func respond(to request: Request, context: HubRequestContext) async throws -> Response {
        // The server has already read the whole body, with the same limits.
        let body = try await request.body.collect(upTo: .max)
        if let failure = hub.fault(inBodyOf: request.head, bytes: body.readableBytes) {
            return hub.refusal(failure, to: request.head)
        }
        let answer = hub.answer(
            request.head, body: Array(body.readableBytesView), isPeerLocal: context.isPeerLocal)
        logger.debug(
            "\(request.method) \(request.uri.path)", metadata: ["answer": "\(answer.summary)"])
        return try await carryOut(answer, request, context)
    }

    private func carryOut(
        _ answer: HubAnswer, _ request: Request, _ context: HubRequestContext
    ) async throws -> Response {
        switch answer {
        case .response(let response):
            return request.method == .head ? response.createHeadResponse() : response
        case .events(let events):
            return events.response(to: request.body)
        case .waiting(let message):
            var response = try await message.response(to: request.body)
            // HTTP/2 forbids this header (RFC 9113, section 8.2.2).
            if context.isStream { response.headers[.connection] = nil }
            return response
        case .fetching(let payload):
            return await payload.response()
        case .hang:
            try await HungConnection.wait(request.body)
            try await context.end()
            throw ConnectionEnded()
        case .drop:
            try await context.endConnection()
            throw ConnectionEnded()
        case .late(let answer, let delay, let bytesPerSecond):
            try await wait(delay)
            if let bytesPerSecond { try await slowDown(context.connection, to: bytesPerSecond) }
            return try await carryOut(answer, request, context)
        }
    }

    /// Waits for the given time, or until the hub shuts down, at which point delayed responses are
    /// sent immediately.
    private func wait(_ delay: Duration) async throws {
        do {
            try await cancelWhenGracefulShutdown { [sleep = hub.environment.sleep] in
                try await sleep(delay)
            }
        } catch is CancellationError {
            return
        }
    }

    private func slowDown(_ channel: any Channel, to bytesPerSecond: Int) async throws {
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            do {
                _ = try pipeline.context(handlerType: SlowWriter.self)
            } catch ChannelPipelineError.notFound {
                // The handler is placed next to the socket, where all data is in bytes.
                try pipeline.addHandler(
                    SlowWriter(bytesPerSecond: bytesPerSecond), position: .first)
            }
        }.get()
    }
}

indirect enum HubAnswer {
    case response(Response)
    case events(any EventStream)
    case waiting(NextMessage)
    case fetching(PayloadFetch)
    /// No response is sent before the client disconnects or the hub shuts down.
    case hang
    /// The connection is closed.
    case drop
    /// A response that is delayed, and optionally limited in bytes per second.
    case late(HubAnswer, delay: Duration, bytesPerSecond: Int?)

    var summary: String {
        switch self {
        case .response(let response): "\(response.status.code)"
        case .events: "a stream of events"
        case .waiting: "the next message"
        case .fetching: "the response of the app backend"
        case .hang: "none, because of a fault"
        case .drop: "none, because a fault closes the connection"
        case .late(let answer, let delay, let bytesPerSecond):
            "\(answer.summary), delayed by \(delay)"
                + (bytesPerSecond.map { ", \($0) bytes a second" } ?? "")
        }
    }
}

struct HubRequestContext: InitializableFromSource {
    /// The connection or, with HTTP/2, one of its streams.
    let channel: any Channel

    fileprivate var isStream: Bool { channel.parent?.remoteAddress != nil }

    /// The connection; closing it never closes the listening socket.
    ///
    /// A stream's parent is its connection, which has a peer; a connection's parent is the
    /// listening socket, which has none.
    var connection: any Channel { isStream ? channel.parent ?? channel : channel }

    /// Whether the peer is on this machine; also true if there is no socket, for example in tests.
    var isPeerLocal: Bool {
        // A connection that has just been closed no longer has a peer, so it is treated as remote.
        guard let peer = channel.remoteAddress else { return channel.parent == nil }
        return LoopbackHost.contains(peer.ipAddress ?? "")
    }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }

    /// Closes the connection of the request, and waits until nothing more can be sent.
    fileprivate func end() async throws {
        try await Self.end(channel)
    }

    fileprivate func endConnection() async throws {
        try await Self.end(connection)
        // The stream is closed a moment later.
        try await channel.closeFuture.get()
    }

    private static func end(_ channel: any Channel) async throws {
        // This close may fail, because the channel may already be closed.
        channel.close(promise: nil)
        try await channel.closeFuture.get()
    }
}

/// A connection or HTTP/2 stream on which no response is sent.
private enum HungConnection {
    /// Waits until the client disconnects or the hub shuts down; the body may already have been
    /// read.
    static func wait(_ body: RequestBody) async throws {
        let (ended, ending) = AsyncStream.makeStream(of: Never.self)
        try await body.consumeWithInboundCloseHandler { _ in
            await withTaskCancellationOrGracefulShutdownHandler {
                for await _ in ended {}
            } onCancelOrGracefulShutdown: {
                ending.finish()
            }
        } onInboundClosed: {
            ending.finish()
        }
    }
}
