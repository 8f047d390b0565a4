import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Opens connections to a hub, directly or through a proxy, with the pipeline of
/// ``PushConnection``.
final class HubConnector {
    private let host: String
    private let port: Int
    private let proxy: HubProxy?
    private let tls: TLSConfiguration?
    private let timeout: TimeAmount
    private let lookup: HostLookup
    /// The system's certificates, which are read once, on a thread that can wait for the disk.
    private var context: EventLoopFuture<NIOSSLContext>?

    var proxyName: String? { proxy.map { "\($0.host):\($0.port)" } }

    init(
        endpoint: HubEndpoint, proxy: HubProxy?, tls: TLSConfiguration, timeout: TimeAmount
    ) {
        host = endpoint.host
        self.proxy = proxy
        self.timeout = timeout
        switch endpoint.scheme {
        case .http:
            port = endpoint.port ?? 80
            self.tls = nil
        case .https:
            port = endpoint.port ?? 443
            var tls = tls
            tls.applicationProtocols = ["http/1.1"]
            self.tls = tls
        }
        lookup = HostLookup(host: proxy?.host ?? host, port: proxy?.port ?? port)
    }

    /// Opens a connection; its TLS handshake may still be pending when the connection is reported.
    func connect(on eventLoop: any EventLoop) -> EventLoopFuture<any Channel> {
        guard let tls else { return connect(on: eventLoop, nil) }
        let context = context ?? read(tls, on: eventLoop)
        return context.assumeIsolated().flatMap { context in
            self.connect(on: eventLoop, context)
        }.nonisolated()
    }

    private func read(
        _ tls: TLSConfiguration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NIOSSLContext> {
        let context = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            try NIOSSLContext(configuration: tls)
        }
        self.context = context
        // After a failure, the next connection tries again.
        context.assumeIsolated().whenFailure { _ in self.context = nil }
        return context
    }

    private func connect(
        on eventLoop: any EventLoop, _ context: NIOSSLContext?
    ) -> EventLoopFuture<any Channel> {
        let end = NIODeadline.now() + timeout
        let serverName = Self.address(host, port) == nil ? host : nil
        guard proxy != nil else {
            return dial(on: eventLoop, by: end) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.addHandlers(to: channel, context, serverName)
                }
            }
        }
        return dial(on: eventLoop, by: end) { $0.eventLoop.makeSucceededVoidFuture() }
            .assumeIsolated().flatMap { channel in
                self.openTunnel(over: channel, by: end).assumeIsolated().flatMapThrowing {
                    try Self.addHandlers(to: channel, context, serverName)
                    return channel
                }.flatMapErrorThrowing { error in
                    channel.close(promise: nil)
                    throw error
                }.nonisolated()
            }.nonisolated()
    }

    private func dial(
        on eventLoop: any EventLoop, by end: NIODeadline,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            // The buffer is larger than a response, so its size need not adapt.
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096)
            )
            .channelInitializer(prepare)
        let (host, port) = (proxy?.host ?? host, proxy?.port ?? port)
        if let address = Self.address(host, port) {
            return bootstrap.connectTimeout(timeout).connect(to: address)
        }
        return lookup.addresses(on: eventLoop, within: timeout).assumeIsolated()
            .flatMap { addresses in
                bootstrap.connectTimeout(max(end - .now(), .milliseconds(1)))
                    .resolver(KnownAddresses(addresses: addresses, eventLoop: eventLoop))
                    .connect(host: host, port: port)
            }.nonisolated()
    }

    private func openTunnel(
        over channel: any Channel, by end: NIODeadline
    ) -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let target = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(
            HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
        let pipeline = channel.pipeline.syncOperations
        do {
            try pipeline.addHandlers(
                encoder, decoder,
                NIOHTTP1ProxyConnectHandler(
                    targetHost: target, targetPort: port,
                    headers: ["Host": "\(target):\(port)"], deadline: end, promise: promise))
        } catch {
            promise.fail(error)
        }
        return promise.futureResult.assumeIsolated()
            .flatMap { pipeline.removeHandler(decoder) }
            .flatMap { pipeline.removeHandler(encoder) }
            .nonisolated()
    }

    private static func addHandlers(
        to channel: any Channel, _ context: NIOSSLContext?, _ serverName: String?
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let context {
            try pipeline.addHandler(
                NIOSSLClientHandler(context: context, serverHostname: serverName))
        }
        try pipeline.addHandler(PushConnection(isSecure: context != nil))
    }

    /// The IP address; nil for a host name.
    private static func address(_ host: String, _ port: Int) -> SocketAddress? {
        do {
            return try SocketAddress(ipAddress: host, port: port)
        } catch {
            return nil
        }
    }
}
