import CampaignCore
import Glibc
import HTTPTypes
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// An HTTP/1.1 server that bounds what a request may take of bytes and time before any route sees
/// it.
struct BoundedHTTPServer: Sendable {
    /// How much a client may still send after a refusal, so that it gets to read the refusal.
    private static let lingerBytes = 1_048_576
    private static let lingerTime = TimeAmount.seconds(2)

    let limits: BackendLimits
    /// nil: plain HTTP.
    let tls: TLSConfiguration?
    /// Is told of a request whose body is too large, and from whom it came.
    let onRefusal: @Sendable (_ head: HTTPRequest, _ peer: IPAddress?) -> Void

    /// The server, as Hummingbird builds it.
    ///
    /// - Throws: when certificate and key do not fit.
    func builder() throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder { respond in
            WatchedChannel(
                base: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await serve(request, writer, channel, respond)
                    },
                    configuration: configuration),
                stallTimeout: TimeAmount(limits.stallTimeout),
                shutdownGrace: TimeAmount(limits.shutdownGrace))
        }
        guard let tls else { return plain }
        return try .tls(plain, tlsConfiguration: tls)
    }

    private var configuration: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headers))
    }

    @concurrent
    private func serve(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        _ respond: HTTPChannelHandler.Responder
    ) async throws {
        let announced = request.headers[.contentLength].flatMap(Int.init) ?? 0
        var chunks = request.body.makeAsyncIterator()
        guard announced <= limits.bodyBytes else {
            return try await refuse(request, writer, channel, remaining: &chunks)
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var body = ByteBuffer()
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        while let chunk = try await chunks.next() {
            guard body.readableBytes + chunk.readableBytes <= limits.bodyBytes else {
                return try await refuse(request, writer, channel, remaining: &chunks)
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

    /// Answers 413, reads on for a moment so that the client is not reset before it reads the
    /// answer, and closes the connection.
    @concurrent
    private func refuse(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        remaining chunks: inout RequestBody.AsyncIterator
    ) async throws {
        onRefusal(request.head, IPAddress(of: channel))
        var response = Response(.bodyTooLarge(limit: limits.bodyBytes))
        response.headers[.connection] = "close"
        if request.method == .head { response = response.createHeadResponse() }
        try await writer.write(response: response.head, body: response.body)
        // The client sees the end of the answer at once, and ends the wait by closing its side.
        try await channel.close(mode: .output)
        let deadline = close(channel, in: Self.lingerTime)
        defer { deadline.cancel() }
        var drained = 0
        while drained < Self.lingerBytes, let chunk = try await chunks.next() {
            drained += chunk.readableBytes
        }
        try await channel.close()
    }

    private func close(_ channel: any Channel, in delay: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }
}

/// An HTTP/1.1 connection with an ``AnswerWatch`` next to its encoder, and ``HostOfOldRequests``
/// next to its decoder.
private struct WatchedChannel: ServerChildChannel {
    /// The bytes that the system may hold and has not sent yet.
    ///
    /// With its usual megabytes a slow client would seem to take nothing for minutes, and an answer
    /// to be out long before it is.
    private static let unsentBytes = 65_536

    let base: HTTP1Channel
    let stallTimeout: TimeAmount
    let shutdownGrace: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try channel.syncOptions?.setOption(
                .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)),
                value: Self.unsentBytes)
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self).handler
            guard let encoder = encoder as? HTTPResponseEncoder else {
                throw ChannelPipelineError.notFound
            }
            try pipeline.addHandler(
                AnswerWatch(stallTimeout: stallTimeout, shutdownGrace: shutdownGrace),
                position: .after(encoder))
            let decoder = try pipeline.context(
                handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
            ).handler
            try pipeline.addHandler(HostOfOldRequests(), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
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
