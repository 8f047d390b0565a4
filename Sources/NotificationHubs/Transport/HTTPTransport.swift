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

/// Sends requests to one hub over a pool of connections.
///
/// It uses HTTP/1.1 without redirects, decompression, retries or proxies from the environment, and
/// always verifies TLS certificates.
final class HTTPTransport: Sendable {
    static let bodyLimit = 16 * 1_024

    private let client: HTTPClient
    private let requestTimeout: TimeAmount
    private let proxy: String?

    /// If `tls` is nil, the hub is on this machine and uses plain HTTP.
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
        // The caller decides when to retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tracing.tracer = nil
        if tls != nil { configuration.http1_1ConnectionDebugInitializer = Self.checkNames }
        // With a single event loop, a deadline and the bytes that race with it have a defined
        // order, so that "nothing was sent" is reliable.
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        client = HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration)
        requestTimeout = .init(settings.requestTimeout)
        proxy = settings.proxy.map { "\($0.host):\($0.port)" }
    }

    var deadline: NIODeadline { .now() + requestTimeout }

    /// Sends one request and waits for at least the head of the response, even if the task is
    /// cancelled.
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
            // Once the head has been read, the outcome is known, even if the body is lost.
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

    @Sendable private static func checkNames(of channel: any Channel) -> EventLoopFuture<Void> {
        do {
            try CertificateNames.check(channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            // This is delayed, so that the pool is informed of the failure before the connection
            // ends.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// Closes the pool, so that requests in flight fail; a second call throws an error.
    func shutdown() async throws {
        try await client.shutdown()
    }
}

/// Follows one request with a delegate, because `execute` does not report whether a failed request
/// had started.
private final class HTTPExchange: HTTPClientResponseDelegate {
    private struct State {
        var began = false
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    /// Stops reading a body that is too long.
    private struct EnoughRead: Error {}

    private let bodyLimit: Int
    private let state = Mutex(State())

    /// The connection is closed if the response body is longer than the limit.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    var requestBegan: Bool { state.withLock { $0.began } }

    /// The response; its body may be cut off.
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
