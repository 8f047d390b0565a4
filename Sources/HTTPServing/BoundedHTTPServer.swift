// HTTPServing: what the servers of this house need of HTTP, whatever they serve. It knows neither the
// hub's protocol nor the app backend's.
//
// - BoundedHTTPServer, HTTPServerLimits: how much a request may take of bytes and time.
// - AnswerWatch, OutgoingAnswer: answers go out before a connection closes, and are told how they ended.
// - SecureHTTPChannel, ConnectionTimer, TLSIdentity: TLS, with HTTP/2 and HTTP/1.1.
// - ServiceGroup.serve: a server that ends in good order when its task is cancelled.
// - ListenFault: why a server cannot listen.
// - RequestTarget, QueryParameters, PercentEncoding, ClientText: what a request asks for.
// - Authority, LoopbackHost: hosts and ports, and which hosts are this machine.
// - StatusServer: how a process is, for supervisors and what collects figures.
// - ConcurrencyLimit: how many requests, streams or waits at a time.

import Glibc
import HTTPTypes
package import HummingbirdCore
import HummingbirdTLS
import Logging
package import NIOCore
import NIOHTTP1
package import NIOSSL

/// What a server takes of a connection, and how long it waits.
package struct HTTPServerLimits: Sendable {
    /// The largest header block in bytes; beyond it the answer is 400.
    package var headerBytes: Int
    /// The most header fields of a request; beyond it the answer is 400.
    package var headers: Int
    /// How long the TLS handshake of a port with HTTP/2 may take.
    package var handshakeTimeout: Duration = .seconds(10)
    /// How long a connection may rest between requests, and how long the head of one may take.
    package var idleTimeout: Duration
    /// How long a body may take from its first byte on.
    package var bodyTimeout: Duration
    /// How long a client may take nothing of what waits for it while a close waits for that.
    package var stallTimeout: Duration
    /// Whether a client may take nothing for no longer than that also when nobody closes the
    /// connection.
    package var endsStalledAnswers = false
    /// How long requests, and their answers, may go on after the server began to end.
    package var shutdownGrace: Duration
    /// The bytes that the system may hold and has not sent yet; nil: what it does by itself.
    ///
    /// With its usual megabytes a slow client would seem to take nothing for minutes, and an answer
    /// to be out long before it is.
    package var unsentBytes: Int?

    /// Limits without which no server is safe; the others have usual values.
    package init(
        headerBytes: Int, headers: Int, idleTimeout: Duration, bodyTimeout: Duration,
        stallTimeout: Duration, shutdownGrace: Duration
    ) {
        self.headerBytes = headerBytes
        self.headers = headers
        self.idleTimeout = idleTimeout
        self.bodyTimeout = bodyTimeout
        self.stallTimeout = stallTimeout
        self.shutdownGrace = shutdownGrace
    }
}

/// An HTTP server that bounds what a request may take of bytes and time before its responder sees
/// it: the responder gets each request with its whole body.
package struct BoundedHTTPServer: Sendable {
    /// Says why a request may not have a body of that many bytes, by the answer that it gets instead;
    /// nil when it may.
    ///
    /// It is asked before the body is read, with the length that the head announces, and for each
    /// part of it.
    package typealias BodyRefusal =
        @Sendable (_ request: Request, _ byteCount: Int, _ connection: any Channel) -> Response?
    /// Answers a request whose head is too large; of HTTP/2 only, since the decoder of HTTP/1.1
    /// knows the bounds itself.
    package typealias HeadRefusal = @Sendable (_ request: Request) -> Response

    /// The protocols that a port with HTTP/2 offers, the better one first (ALPN, RFC 7301).
    package static let applicationProtocols = ["h2", "http/1.1"]

    /// How much a client may still send after a refusal, so that it gets to read the refusal.
    private static let lingerBytes = 1_048_576
    private static let lingerTime = TimeAmount.seconds(2)

    private let limits: HTTPServerLimits
    private let namesHostOfOldRequests: Bool
    private let bodyRefusal: BodyRefusal

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - limits: the bounds.
    ///   - namesHostOfOldRequests: whether a request of HTTP/1.0 without a host gets the host that
    ///     its connection came in at.
    ///   - bodyRefusal: says which bodies are too large.
    package init(
        limits: HTTPServerLimits, namesHostOfOldRequests: Bool = false,
        refusingBody bodyRefusal: @escaping BodyRefusal
    ) {
        self.limits = limits
        self.namesHostOfOldRequests = namesHostOfOldRequests
        self.bodyRefusal = bodyRefusal
    }

    // MARK: Ports

    /// A port with HTTP/1.1 in the clear.
    package var plain: HTTPServerBuilder {
        HTTPServerBuilder { respond in
            PlainHTTPChannel(
                http1: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await serve(request, writer, channel, respond)
                    },
                    configuration: configuration),
                limits: limits, namesHostOfOldRequests: namesHostOfOldRequests)
        }
    }

    /// A port with HTTP/1.1 over TLS.
    ///
    /// - Parameter tls: certificate and key.
    /// - Returns: the port, as Hummingbird builds it.
    /// - Throws: when they do not fit.
    package func secure(_ tls: TLSConfiguration) throws -> HTTPServerBuilder {
        try .tls(plain, tlsConfiguration: tls)
    }

    /// A port with HTTP/2 and HTTP/1.1 over TLS, as the client chooses.
    ///
    /// - Parameters:
    ///   - tls: certificate, key and the ``applicationProtocols``.
    ///   - headRefusal: answers requests with too large a head.
    /// - Returns: the port, as Hummingbird builds it.
    package func secure(
        _ tls: NIOSSLContext, refusingHead headRefusal: @escaping HeadRefusal
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { respond in
            SecureHTTPChannel(tls: tls, limits: limits, http1: configuration) {
                request, writer, channel, transport in
                let request = Request(
                    head: transport.normalized(request.head), body: request.body)
                let isStream = transport == .http2
                if isStream, hasTooLargeHead(request) {
                    var chunks = request.body.makeAsyncIterator()
                    return try await refuse(
                        request, with: headRefusal(request), writer, channel, isStream: true,
                        remaining: &chunks)
                }
                try await serve(request, writer, channel, isStream: isStream, respond)
            }
        }
    }

    private var configuration: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headers))
    }

    private func hasTooLargeHead(_ request: Request) -> Bool {
        let bytes = request.headers.reduce(request.head.path?.utf8.count ?? 0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        return request.headers.count > limits.headers || bytes > limits.headerBytes
    }

    // MARK: Requests

    /// Reads the body and hands the whole request on; the channel is the connection, or over HTTP/2
    /// a stream of it.
    @concurrent
    private func serve(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        isStream: Bool = false, _ respond: HTTPChannelHandler.Responder
    ) async throws {
        let announced = request.headers[.contentLength].flatMap(Int.init) ?? 0
        var chunks = request.body.makeAsyncIterator()
        if let refusal = bodyRefusal(request, announced, channel) {
            return try await refuse(
                request, with: refusal, writer, channel, isStream: isStream, remaining: &chunks)
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var body = ByteBuffer()
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        while let chunk = try await chunks.next() {
            let byteCount = body.readableBytes + chunk.readableBytes
            if let refusal = bodyRefusal(request, byteCount, channel) {
                return try await refuse(
                    request, with: refusal, writer, channel, isStream: isStream,
                    remaining: &chunks)
            }
            body.writeImmutableBuffer(chunk)
            // Most bodies come whole; only one that does not is worth a timer.
            if deadline == nil, body.readableBytes != announced {
                deadline = close(channel, in: TimeAmount(limits.bodyTimeout))
            }
        }
        deadline?.cancel()
        var request = request
        request.body = RequestBody(buffer: body)
        try await respond(request, writer, channel)
    }

    /// Answers with a refusal, reads on for a moment so that the client is not reset before it
    /// reads the answer, and closes the connection, or over HTTP/2 the stream if it is not at its
    /// end by then.
    @concurrent
    private func refuse(
        _ request: Request, with refusal: Response, _ writer: consuming ResponseWriter,
        _ channel: any Channel, isStream: Bool, remaining chunks: inout RequestBody.AsyncIterator
    ) async throws {
        var response = request.method == .head ? refusal.createHeadResponse() : refusal
        // HTTP/2 forbids the header (RFC 9113, 8.2.2).
        if isStream { response.headers[.connection] = nil }
        try await writer.write(response: response.head, body: response.body)
        if !isStream {
            // The client sees the end of the answer at once, and ends the wait by closing its side.
            try await channel.close(mode: .output)
        }
        let deadline = close(channel, in: Self.lingerTime)
        defer { deadline.cancel() }
        var drained = 0
        while drained < Self.lingerBytes, let chunk = try await chunks.next() {
            drained += chunk.readableBytes
        }
        if !isStream || drained >= Self.lingerBytes { try await channel.close() }
    }

    private func close(_ channel: any Channel, in delay: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }
}

/// Sets up connections with HTTP/1.1 whose answers go out before they close, and serves them.
private struct PlainHTTPChannel: ServerChildChannel {
    let http1: HTTP1Channel
    let limits: HTTPServerLimits
    let namesHostOfOldRequests: Bool

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
            if let unsentBytes = limits.unsentBytes {
                try channel.syncOptions?.setOption(
                    .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)),
                    value: unsentBytes)
            }
            try AnswerWatch.add(to: channel, limits)
            if namesHostOfOldRequests { try HostOfOldRequests.add(to: channel) }
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}

/// Names the host of a request that need not name one itself: HTTP/1.0 has no `Host` field.
///
/// What such a request was sent to is where its connection came in. Behind this handler a request
/// without a host is a fault, whatever its version; what comes later does not know the version.
private final class HostOfOldRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let field = "Host"

    /// Puts one next to the decoder of a connection, on its event loop.
    ///
    /// - Throws: when the connection has no decoder.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.context(
            handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
        ).handler
        try pipeline.addHandler(HostOfOldRequests(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0,
            !head.headers.contains(name: Self.field)
        else { return context.fireChannelRead(data) }
        head.headers.add(name: Self.field, value: Self.host(of: context.localAddress))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func host(of address: SocketAddress?) -> String {
        // A connection that has just ended has no address any more.
        guard let host = address?.ipAddress, let port = address?.port else { return "localhost" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
