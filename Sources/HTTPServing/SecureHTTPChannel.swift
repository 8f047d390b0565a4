import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Sets up TLS connections with HTTP/2 or HTTP/1.1, as the client chooses (ALPN, RFC 7301).
///
/// Hummingbird's own channel waits forever for a handshake, and when the server stops, it leaves
/// the connections of silent clients open.
struct SecureHTTPChannel: ServerChildChannel {
    typealias Serve =
        @concurrent @Sendable (
            Request, consuming ResponseWriter, any Channel, SecureProtocol
        ) async throws -> Void

    enum Negotiated: Sendable {
        case http1(HTTP1Channel, HTTP1Channel.Value)
        case http2(HTTP2Channel, HTTP2Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    let tls: NIOSSLContext
    let limits: HTTPServerLimits
    let open: OpenConnections
    /// The limits for a request's head and for pauses.
    let http1: HTTP1Channel.Configuration
    let serve: Serve

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Otherwise, the TLS handler would not notice the client's closing message and would
            // keep waiting.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            let pipeline = channel.pipeline.syncOperations
            // How long a client may take to confirm the close of an idle connection, which
            // Hummingbird announces first.
            let timer = ConnectionTimer(
                handshakeTimeout: TimeAmount(limits.handshakeTimeout),
                idleTimeout: TimeAmount(limits.idleTimeout + limits.shutdownGrace))
            let boundTimer = NIOLoopBound(timer, eventLoop: channel.eventLoop)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result in
                if case .negotiated("h2") = result {
                    let http2 = http2(boundTimer, of: channel)
                    return http2.setup(channel: channel, logger: logger).map { .http2(http2, $0) }
                }
                let http1 = http1(boundTimer, of: channel)
                return http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
                    try AnswerWatch.add(to: channel, limits)
                    try ConnectionPersistence.add(to: channel, open)
                    return .http1(http1, value)
                }
            }
            try pipeline.addHandlers(
                NIOSSLServerHandler(context: tls), FlushBeforeClose(), timer, negotiation)
            return Value(negotiated: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            do {
                let negotiated = try await value.negotiated.get()
                await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
                    switch negotiated {
                    case .http1(let http1, let connection):
                        await http1.handle(value: connection, logger: logger)
                    case .http2(let http2, let connection):
                        await http2.handle(value: connection, logger: logger)
                    }
                }
                value.channel.close(promise: nil)
                try await value.channel.closeFuture.get()
            } catch {
                logger.debug("A client did not finish the TLS handshake: \(error)")
            }
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    private func http1(
        _ timer: NIOLoopBound<ConnectionTimer>, of connection: any Channel
    ) -> HTTP1Channel {
        HTTP1Channel(
            responder: timed(timer, connection.eventLoop, .https1), configuration: http1)
    }

    private func http2(
        _ timer: NIOLoopBound<ConnectionTimer>, of connection: any Channel
    ) -> HTTP2Channel {
        HTTP2Channel(
            responder: timed(timer, connection.eventLoop, .http2),
            configuration: HTTP2Channel.Configuration(
                idleTimeout: limits.idleTimeout, gracefulCloseTimeout: limits.shutdownGrace,
                streamConfiguration: HTTP1Channel.Configuration(idleTimeout: http1.idleTimeout)))
    }

    private func timed(
        _ timer: NIOLoopBound<ConnectionTimer>, _ eventLoop: any EventLoop,
        _ transport: SecureProtocol
    ) -> HTTPChannelHandler.Responder {
        { [serve] request, writer, channel in
            eventLoop.execute { timer.value.requestBegan() }
            defer { eventLoop.execute { timer.value.requestEnded() } }
            try await serve(request, writer, channel, transport)
        }
    }
}

enum SecureProtocol: Sendable {
    case https1
    case http2

    /// Returns a request's head for the responder, with the true scheme.
    ///
    /// Over HTTP/2, a `Host` field may replace a missing `:authority` or repeat an equal one (RFC
    /// 9113, section 8.3.1).
    func normalized(_ head: HTTPRequest) -> HTTPRequest {
        var head = head
        head.scheme = "https"
        guard self == .http2, let host = HTTPField.Name("Host") else { return head }
        let hosts = head.headerFields[values: host]
        if hosts.count == 1, head.authority == nil || head.authority == hosts[0] {
            head.authority = hosts[0]
            head.headerFields[host] = nil
        }
        return head
    }
}

/// Flushes before a connection closes.
///
/// When a server stops, Hummingbird closes an HTTP/2 connection while the end of its last stream is
/// being written; without a flush, that end would be lost.
private final class FlushBeforeClose: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // By then, a write in progress has ended.
        context.eventLoop.execute {
            bound.value.flush()
            bound.value.close(mode: mode, promise: promise)
        }
    }
}
