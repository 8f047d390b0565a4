import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Sets up connections over TLS, which speak HTTP/2 or HTTP/1.1 as the client chose (ALPN, RFC
/// 7301), and serves them.
///
/// Hummingbird's own channel for both is not enough: it waits for a handshake without end, and
/// leaves connections of clients open that do not answer when the server ends.
struct SecureHTTPChannel: ServerChildChannel {
    /// Answers a request that came in a certain way.
    typealias Serve =
        @concurrent @Sendable (
            Request, consuming ResponseWriter, any Channel, SecureProtocol
        ) async throws -> Void

    /// A connection whose protocol is known.
    enum Negotiated: Sendable {
        case http1(HTTP1Channel, HTTP1Channel.Value)
        case http2(HTTP2Channel, HTTP2Channel.Value)
    }

    /// A connection whose protocol will be known.
    struct Value: ServerChildChannelValue {
        let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    /// Certificate, key and protocols.
    let tls: NIOSSLContext
    /// How long things may take.
    let limits: HTTPServerLimits
    /// The bounds of a request's head, and of its rests.
    let http1: HTTP1Channel.Configuration
    /// Answers requests.
    let serve: Serve

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // With it the TLS handler does not notice that the client agrees to the end, and waits.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            let pipeline = channel.pipeline.syncOperations
            // A client gets the time to agree to the end of an idle connection, which Hummingbird
            // asks for first.
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
                switch try await value.negotiated.get() {
                case .http1(let http1, let connection):
                    await http1.handle(value: connection, logger: logger)
                case .http2(let http2, let connection):
                    await http2.handle(value: connection, logger: logger)
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

    /// Answers requests, and tells the connection's timer of them.
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

/// How a request came over TLS.
enum SecureProtocol: Sendable {
    /// HTTP/1.1.
    case https1
    /// A stream of an HTTP/2 connection.
    case http2

    /// A request's head as its responder is to see it.
    ///
    /// The scheme is what it is, whatever an HTTP/2 client says, and HTTP/1.1 cannot say. Over
    /// HTTP/2 a `Host` header stands in for a missing `:authority`, and says nothing new beside an
    /// equal one (RFC 9113, 8.3.1).
    ///
    /// - Parameter head: the head as it came.
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

/// Flushes what was written before a connection closes.
///
/// While a server ends, Hummingbird closes an HTTP/2 connection with its last stream, and hears of
/// that stream's end in the middle of writing it: the end of the answer would be lost.
private final class FlushBeforeClose: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // A write that is under way is over by then.
        context.eventLoop.execute {
            bound.value.flush()
            bound.value.close(mode: mode, promise: promise)
        }
    }
}
