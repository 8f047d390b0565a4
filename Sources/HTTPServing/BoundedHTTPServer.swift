import Glibc
package import HTTPTypes
package import HummingbirdCore
import HummingbirdTLS
import Logging
package import NIOCore
import NIOHTTP1
package import NIOSSL

/// How much a server accepts from a connection, and how long it waits.
package struct HTTPServerLimits: Sendable {
    package var headerBytes: Int
    package var headers: Int
    /// How long the TLS handshake may take on a port with HTTP/2.
    package var handshakeTimeout: Duration = .seconds(10)
    /// The longest pause between requests, and the time limit for a request's head.
    package var idleTimeout: Duration
    /// How long a body may take, counted from its first byte.
    package var bodyTimeout: Duration
    /// How long a client may go without progress while a close waits for its response.
    package var stallTimeout: Duration
    /// Whether that limit also applies while the connection is not being closed.
    package var endsStalledAnswers = false
    /// How long requests and responses may continue after the server began to stop.
    package var shutdownGrace: Duration
    /// The maximum number of unsent bytes in the system's buffer; nil means the system's default.
    ///
    /// With the usual megabytes, a slow client would seem to stall for minutes, and a response
    /// would be reported as sent too early.
    package var unsentBytes: Int?
    /// The maximum number of connections that stay open between requests; any others close after a
    /// response.
    package var keptConnections = Int.max

    /// Sets the required limits; the others have defaults.
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

/// An HTTP server that limits the size and duration of a request, and passes it to the responder
/// with the whole body.
package struct BoundedHTTPServer: Sendable {
    /// Returns why a body with this many bytes is refused; nil accepts it.
    ///
    /// This is called with the announced length before the body is read, and again for each part.
    package typealias BodyRefusal =
        @Sendable (_ request: Request, _ byteCount: Int, _ connection: any Channel) -> Response?
    /// The response to an HTTP/2 request whose head is too large; the HTTP/1.1 decoder applies the
    /// limits itself.
    package typealias HeadRefusal = @Sendable (_ request: Request) -> Response
    /// The JSON response to requests that the HTTP/1.1 decoder refuses.
    package typealias UnreadHeadRefusal =
        @Sendable (_ isTooLarge: Bool, _ connection: any Channel) -> (HTTPResponse.Status, [UInt8])

    package typealias Respond =
        @Sendable (_ request: Request, _ connection: any Channel) async -> Response

    /// The protocols for ports with HTTP/2, the preferred one first (ALPN, RFC 7301).
    package static let applicationProtocols = ["h2", "http/1.1"]

    /// How many more bytes are read after a refusal, so that the client can read the refusal.
    private static let lingerBytes = 1_048_576
    private static let lingerTime = TimeAmount.seconds(2)

    private let limits: HTTPServerLimits
    private let namesHostOfOldRequests: Bool
    private let headRefusal: UnreadHeadRefusal?
    private let bodyRefusal: BodyRefusal
    private let respond: Respond?

    /// If `namesHostOfOldRequests` is set, HTTP/1.0 requests without a host get the address of
    /// their connection as the host.
    ///
    /// `respond` directly answers requests without a body on ``plain`` as the responder would; if
    /// it is nil, all requests go to the responder.
    package init(
        limits: HTTPServerLimits, namesHostOfOldRequests: Bool = false,
        refusingHead headRefusal: UnreadHeadRefusal? = nil,
        respondingDirectly respond: Respond? = nil,
        refusingBody bodyRefusal: @escaping BodyRefusal
    ) {
        self.limits = limits
        self.namesHostOfOldRequests = namesHostOfOldRequests
        self.headRefusal = headRefusal
        self.bodyRefusal = bodyRefusal
        self.respond = respond
    }

    // MARK: Ports

    /// A port for unencrypted HTTP/1.1.
    package var plain: HTTPServerBuilder {
        HTTPServerBuilder { respond in
            let pending = PendingAnswers()
            return PlainHTTPChannel(
                http1: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await serve(request, writer, channel, respond)
                    },
                    configuration: plainConfiguration(pending)),
                limits: limits, pending: pending,
                open: OpenConnections(kept: limits.keptConnections),
                namesHostOfOldRequests: namesHostOfOldRequests, headRefusal: headRefusal)
        }
    }

    /// A port with HTTP/1.1 over TLS; throws if the certificate and the key do not match.
    package func secure(_ tls: TLSConfiguration) throws -> HTTPServerBuilder {
        try .tls(plain, tlsConfiguration: tls)
    }

    /// A port with HTTP/2 and HTTP/1.1 over TLS; `tls` must have the ``applicationProtocols``.
    package func secure(
        _ tls: NIOSSLContext, refusingHead headRefusal: @escaping HeadRefusal
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { respond in
            SecureHTTPChannel(
                tls: tls, limits: limits, open: OpenConnections(kept: limits.keptConnections),
                http1: configuration
            ) { request, writer, channel, transport in
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

    private func plainConfiguration(_ pending: PendingAnswers) -> HTTP1Channel.Configuration {
        guard let respond else { return configuration }
        let idleTimeout = TimeAmount(limits.idleTimeout)
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                DirectAnswers(idleTimeout: idleTimeout, pending: pending, respond)
            ],
            httpDecoderConfiguration: configuration.httpDecoder)
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

    /// Reads the body and passes on the request; the channel is a connection or an HTTP/2 stream.
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
            // Most bodies arrive in one piece; only the others need a timer.
            if deadline == nil, body.readableBytes != announced {
                deadline = close(channel, in: TimeAmount(limits.bodyTimeout))
            }
        }
        deadline?.cancel()
        var request = request
        request.body = RequestBody(buffer: body)
        try await respond(request, writer, channel)
    }

    /// Answers with a refusal, keeps reading briefly so that the client can read the refusal, and
    /// closes the connection or stream.
    @concurrent
    private func refuse(
        _ request: Request, with refusal: Response, _ writer: consuming ResponseWriter,
        _ channel: any Channel, isStream: Bool, remaining chunks: inout RequestBody.AsyncIterator
    ) async throws {
        var response = request.method == .head ? refusal.createHeadResponse() : refusal
        // HTTP/2 forbids this field (RFC 9113, section 8.2.2).
        if isStream { response.headers[.connection] = nil }
        try await writer.write(response: response.head, body: response.body)
        if !isStream {
            // The client sees the end of the response and closes its side, which ends the wait.
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

/// Adds a message to the empty 400 that Hummingbird sends for an unreadable head.
private final class UnreadHead: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: BoundedHTTPServer.UnreadHeadRefusal
    private var error: HTTPParserError?

    init(_ refusal: @escaping BoundedHTTPServer.UnreadHeadRefusal) {
        self.refusal = refusal
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error as? HTTPParserError
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Responses to earlier requests, which have a body, may still be in progress.
        guard let error, error != .invalidEOFState,
            case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers["Content-Length"] == ["0"]
        else { return context.write(data, promise: promise) }
        let (status, body) = refusal(error == .headerOverflow, context.channel)
        head.status = HTTPResponseStatus(statusCode: status.code)
        head.headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        head.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
}

private struct PlainHTTPChannel: ServerChildChannel {
    let http1: HTTP1Channel
    let limits: HTTPServerLimits
    let pending: PendingAnswers
    let open: OpenConnections
    let namesHostOfOldRequests: Bool
    let headRefusal: BoundedHTTPServer.UnreadHeadRefusal?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
            if let unsentBytes = limits.unsentBytes {
                try channel.syncOptions?.setOption(
                    .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)),
                    value: unsentBytes)
            }
            try AnswerWatch.add(to: channel, limits)
            try ConnectionPersistence.add(to: channel, open)
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(
                handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
            ).handler
            if namesHostOfOldRequests {
                try pipeline.addHandler(HostOfOldRequests(), position: .after(decoder))
            }
            if let headRefusal {
                try pipeline.addHandler(UnreadHead(headRefusal), position: .after(decoder))
            }
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await http1.handle(value: value, logger: logger)
            await pending.end(of: value.channel)
        }
    }
}

/// If an HTTP/1.0 request has no host, uses the address of its connection as the host.
///
/// After this handler, a request without a host is invalid in any version.
private final class HostOfOldRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let field = "Host"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0,
            !head.headers.contains(name: Self.field)
        else { return context.fireChannelRead(data) }
        head.headers.add(name: Self.field, value: Self.host(of: context.localAddress))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func host(of address: SocketAddress?) -> String {
        // A connection that has just ended has no address.
        guard let host = address?.ipAddress, let port = address?.port else { return "localhost" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
