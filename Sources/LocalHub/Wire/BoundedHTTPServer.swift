import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// An HTTP server that bounds what a request may take of bytes and time before the hub sees it.
struct BoundedHTTPServer: Sendable {
    /// How much a client may still send after a refusal, so that it gets to read the refusal.
    private static let lingerBytes = 1_048_576
    private static let lingerTime = TimeAmount.seconds(2)

    /// The bounds.
    let limits: LocalHubLimits
    /// Why a request without its body may not have one of so many bytes; nil when it may.
    let bodyFault: @Sendable (Request, Int) -> HubFailure?
    /// Makes the response to a request that is refused before the hub sees it.
    let refusal: @Sendable (HubFailure, Request) -> Response

    /// The server of a port without TLS, as Hummingbird builds it.
    var builder: HTTPServerBuilder {
        HTTPServerBuilder { respond in
            PlainHTTPChannel(
                http1: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await serve(request, writer, channel, .http1, respond)
                    },
                    configuration: configuration),
                limits: limits)
        }
    }

    /// The server of a port with TLS.
    ///
    /// - Parameter tls: certificate, key and protocols.
    /// - Returns: the server, as Hummingbird builds it.
    func builder(_ tls: ServerTLS) -> HTTPServerBuilder {
        HTTPServerBuilder { respond in
            SecureHTTPChannel(tls: tls.context, limits: limits, http1: configuration) {
                request, writer, channel, transport in
                try await serve(request, writer, channel, transport, respond)
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

    /// Reads the body and hands the whole request on; the channel is the connection, or over HTTP/2
    /// a stream of it.
    @concurrent
    private func serve(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        _ transport: HTTPTransport, _ respond: HTTPChannelHandler.Responder
    ) async throws {
        var request = Request(
            head: transport.normalized(request.head), body: request.body)
        let announced = request.headers[.contentLength].flatMap(Int.init) ?? 0
        var chunks = request.body.makeAsyncIterator()
        if let failure = fault(inHeadOf: request, transport) {
            return try await refuse(
                request, failure, writer, channel, transport, remaining: &chunks)
        }
        if let failure = bodyFault(request, announced) {
            return try await refuse(
                request, failure, writer, channel, transport, remaining: &chunks)
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var body = ByteBuffer()
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        while let chunk = try await chunks.next() {
            let bytes = body.readableBytes + chunk.readableBytes
            if let failure = bodyFault(request, bytes) {
                return try await refuse(
                    request, failure, writer, channel, transport, remaining: &chunks)
            }
            body.writeImmutableBuffer(chunk)
            // Most bodies come whole; only one that does not is worth a timer.
            if deadline == nil, body.readableBytes != announced {
                deadline = close(channel, in: TimeAmount(limits.bodyTimeout))
            }
        }
        deadline?.cancel()
        request.body = RequestBody(buffer: body)
        try await respond(request, writer, channel)
    }

    /// What is wrong with a head that HTTP/2 let through; the decoder of HTTP/1.1 knows the bounds
    /// itself.
    private func fault(inHeadOf request: Request, _ transport: HTTPTransport) -> HubFailure? {
        guard transport == .http2 else { return nil }
        let bytes = request.headers.reduce(request.head.path?.utf8.count ?? 0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        guard request.headers.count > limits.headers || bytes > limits.headerBytes else {
            return nil
        }
        return .badRequest(
            "The request has more than \(limits.headers) headers, or more than "
                + "\(limits.headerBytes) bytes of them.")
    }

    /// Answers with a refusal, reads on for a moment so that the client is not reset before it
    /// reads the answer, and closes the connection, or over HTTP/2 the stream if it is not at its
    /// end by then.
    @concurrent
    private func refuse(
        _ request: Request, _ failure: HubFailure, _ writer: consuming ResponseWriter,
        _ channel: any Channel, _ transport: HTTPTransport,
        remaining chunks: inout RequestBody.AsyncIterator
    ) async throws {
        var response = refusal(failure, request)
        if request.method == .head { response = response.createHeadResponse() }
        // HTTP/2 forbids the header (RFC 9113, 8.2.2).
        if transport == .http2 { response.headers[.connection] = nil }
        try await writer.write(response: response.head, body: response.body)
        if transport != .http2 {
            // The client sees the end of the answer at once, and ends the wait by closing its side.
            try await channel.close(mode: .output)
        }
        let deadline = close(channel, in: Self.lingerTime)
        defer { deadline.cancel() }
        var drained = 0
        while drained < Self.lingerBytes, let chunk = try await chunks.next() {
            drained += chunk.readableBytes
        }
        if transport != .http2 || drained >= Self.lingerBytes { try await channel.close() }
    }

    private func close(_ channel: any Channel, in delay: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }
}

/// Sets up connections without TLS, whose answers go out before they close, and serves them.
private struct PlainHTTPChannel: ServerChildChannel {
    /// What serves them.
    let http1: HTTP1Channel
    /// How long things may take.
    let limits: LocalHubLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try AnswersBeforeClose.add(to: channel, limits)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}

/// How a request came to the hub.
enum HTTPTransport: Sendable {
    /// HTTP/1.1 without TLS.
    case http1
    /// HTTP/1.1 over TLS.
    case https1
    /// A stream of an HTTP/2 connection over TLS.
    case http2

    /// A request's head as the hub is to see it.
    ///
    /// Over TLS the scheme is what it is, whatever an HTTP/2 client says, and HTTP/1.1 cannot say.
    /// Over HTTP/2 a `Host` header stands in for a missing `:authority`, and says nothing new
    /// beside an equal one (RFC 9113, 8.3.1).
    ///
    /// - Parameter head: the head as it came.
    /// - Returns: the head.
    func normalized(_ head: HTTPRequest) -> HTTPRequest {
        guard self != .http1 else { return head }
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
