import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Carries requests from Hummingbird to the hub, and does to the connection what the answer says.
struct HubResponder: HTTPResponder {
    /// The connection was ended on purpose, so that nothing more goes out on it.
    private struct ConnectionEnded: Error {}

    /// The hub.
    let hub: Hub
    /// Takes one line per request at debug level; never a token, a header or a body.
    let logger: Logger

    func respond(to request: Request, context: HubRequestContext) async throws -> Response {
        // A server has read all of it, within the same bounds.
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
            // HTTP/2 forbids the header (RFC 9113, section 8.2.2), and has a stream for each request.
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

    /// Waits for a time, or until the hub shuts down: what is late goes out at once then.
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
                // At the head, next to the socket, where everything is bytes.
                try pipeline.addHandler(
                    SlowWriter(bytesPerSecond: bytesPerSecond), position: .first)
            }
        }.get()
    }
}

/// What becomes of a request.
indirect enum HubAnswer {
    /// A response goes out.
    case response(Response)
    /// A stream of events goes out until the client goes away or the hub shuts down.
    case events(any EventStream)
    /// A message goes out once there is one, or why there is none.
    case waiting(NextMessage)
    /// What the app backend has goes out, or why it gives nothing.
    case fetching(PayloadFetch)
    /// Nothing goes out until the client goes away or the hub shuts down.
    case hang
    /// The connection is closed.
    case drop
    /// Another answer goes out after a time, and at a speed in bytes a second where there is one.
    case late(HubAnswer, delay: Duration, bytesPerSecond: Int?)

    /// What becomes of the request, in a few words for a log.
    var summary: String {
        switch self {
        case .response(let response): "\(response.status.code)"
        case .events: "a stream of events"
        case .waiting: "a message once there is one"
        case .fetching: "what the app backend gives"
        case .hang: "none, because of a fault"
        case .drop: "none, the connection is closed because of a fault"
        case .late(let answer, let delay, let bytesPerSecond):
            "\(answer.summary), late by \(delay)"
                + (bytesPerSecond.map { ", \($0) bytes a second" } ?? "")
        }
    }
}

/// What the responder needs of the connection that a request came over.
struct HubRequestContext: InitializableFromSource {
    /// What carries the request: the connection, or over HTTP/2 a stream of it.
    let channel: any Channel

    /// Whether the channel is one stream of an HTTP/2 connection.
    fileprivate var isStream: Bool { channel.parent?.remoteAddress != nil }

    /// The connection.
    ///
    /// A stream's parent is its connection, which has a peer. A connection's parent is the socket that
    /// the hub listens on, which has none; so closing a connection never closes them all.
    var connection: any Channel {
        isStream ? channel.parent ?? channel : channel
    }

    /// Whether the other side of the connection is on this machine; also without a socket, as in
    /// tests.
    var isPeerLocal: Bool {
        // A connection that has just been closed has no peer any more, and may have come from
        // anywhere.
        guard let peer = channel.remoteAddress else { return channel.parent == nil }
        return LoopbackHost.contains(peer.ipAddress ?? "")
    }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }

    /// Closes what carries the request, and waits until nothing can go out on it any more.
    fileprivate func end() async throws {
        try await Self.end(channel)
    }

    /// Closes the connection, with all requests on it.
    fileprivate func endConnection() async throws {
        try await Self.end(connection)
        // A stream learns of it a moment later.
        try await channel.closeFuture.get()
    }

    private static func end(_ channel: any Channel) async throws {
        // It does not matter whether this close fails: the channel may be closed already.
        channel.close(promise: nil)
        try await channel.closeFuture.get()
    }
}

/// A connection, or over HTTP/2 a stream of one, that gets no answer.
private enum HungConnection {
    /// Waits until the client goes away or the hub shuts down.
    ///
    /// - Parameter body: the body of the request that gets no answer; it may have been read.
    /// - Throws: when the connection's stream of requests breaks.
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
