import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Carries requests to one hub over a pool of keep-alive connections.
///
/// HTTP/1.1 without redirects, decompression or retries of its own, and through no proxy but the one of
/// the settings. TLS is always verified.
final class HTTPTransport: Sendable {
    /// The most bytes of an answer's body that are kept.
    static let bodyLimit = 16 * 1_024

    private let client: HTTPClient
    private let requestTimeout: TimeAmount
    /// The proxy as errors name it.
    private let proxy: String?

    /// Opens a pool.
    ///
    /// - Parameters:
    ///   - settings: limits, times and the proxy.
    ///   - tls: how TLS is spoken; nil: the hub is on this machine and speaks plain HTTP.
    init(settings: HubClientSettings, tls: TLSConfiguration?) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .init(min(settings.connectTimeout, settings.requestTimeout))),
            proxy: settings.proxy.map { .server(host: $0.host, port: $0.port) },
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            settings.concurrency
        // A failed connection is an answer too: whoever sends decides when to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tracing.tracer = nil
        if tls != nil { configuration.http1_1ConnectionDebugInitializer = Self.checkNames }
        // One loop: a deadline and the bytes it races with are then seen in one order, so that
        // "nothing was sent" is true.
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        client = HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration)
        requestTimeout = .init(settings.requestTimeout)
        proxy = settings.proxy.map { "\($0.host):\($0.port)" }
    }

    /// When an exchange that begins now has to have its answer.
    var deadline: NIODeadline { .now() + requestTimeout }

    /// Sends one request and waits for its answer.
    ///
    /// Cancelling the task does not cut it short, since the answer would be lost with it.
    ///
    /// - Parameters:
    ///   - request: the encoded request.
    ///   - method: the method.
    ///   - url: where it goes to.
    ///   - bodyLimit: the most bytes of the answer's body to keep.
    ///   - deadline: when the whole answer has to be there.
    /// - Returns: the answer, if at least its head is complete.
    /// - Throws: ``TransportFailure``.
    func execute(
        _ request: SendRequest, method: HTTPMethod, at url: URL, bodyLimit: Int,
        by deadline: NIODeadline
    ) async throws(TransportFailure) -> HubAnswer {
        let exchange = HTTPExchange(bodyLimit: bodyLimit)
        do {
            let outgoing = try HTTPClient.Request(
                url: url, method: method, headers: request.headers,
                body: request.body.readableBytes > 0 || method == .POST || method == .PUT
                    ? .byteBuffer(request.body) : nil)
            try await client.execute(request: outgoing, delegate: exchange, deadline: deadline)
                .get()
        } catch {
            // With its head read, the answer is known, whatever became of the rest of its body.
            if var answer = exchange.answer {
                answer.isComplete = false
                answer.sentTrackingID = request.trackingID
                return answer
            }
            var failure = TransportFailure(error, requestBegan: exchange.requestBegan)
            failure.proxy = proxy
            throw failure
        }
        guard var answer = exchange.answer else {
            throw TransportFailure(cause: .malformedAnswer, requestBegan: true)
        }
        answer.sentTrackingID = request.trackingID
        return answer
    }

    /// Checks a connection's certificate before the pool gives it a request.
    @Sendable private static func checkNames(of channel: any Channel) -> EventLoopFuture<Void> {
        do {
            try CertificateNames.check(channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            // Later: the pool, which closes nothing here, has to learn of the failure before it
            // learns of the connection's end.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// Closes the pool, which fails requests in flight.
    ///
    /// - Throws: the HTTP client's error when it had been shut down before.
    func shutdown() async throws {
        try await client.shutdown()
    }
}

/// Follows one request: whether it began, and as much of its answer as is looked at.
///
/// The HTTP client's plain `execute` does not tell whether a failed request had begun; its delegate
/// does.
private final class HTTPExchange: HTTPClientResponseDelegate {
    private struct State {
        var began = false
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    /// Ends the reading of a body that is longer than anyone will look at.
    private struct EnoughRead: Error {}

    private let bodyLimit: Int
    private let state = Mutex(State())

    /// Begins to follow a request.
    ///
    /// - Parameter bodyLimit: the most bytes of the answer's body to keep. The connection is given
    ///   up when there are more.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Whether the request's head was handed to a connection.
    var requestBegan: Bool { state.withLock { $0.began } }

    /// The answer, once its head is complete; its body may be cut short.
    var answer: HubAnswer? {
        state.withLock { state in
            state.head.map {
                HubAnswer(status: Int($0.status.code), headers: $0.headers, body: state.body)
            }
        }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        state.withLock { $0.began = true }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        state.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let isEnough = state.withLock { state in
            let room = bodyLimit - state.body.count
            state.body.append(contentsOf: buffer.readableBytesView.prefix(room))
            return buffer.readableBytes > room
        }
        return isEnough
            ? task.eventLoop.makeFailedFuture(EnoughRead())
            : task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
}
