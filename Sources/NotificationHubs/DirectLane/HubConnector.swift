import NIOCore
import NIOPosix
import NIOSSL

/// Makes connections to a hub, with the pipeline of ``PushConnection``.
final class HubConnector {
    private let host: String
    private let port: Int
    private let tls: TLSConfiguration?
    private let timeout: TimeAmount
    private let lookup: HostLookup
    /// Reading the system's certificates takes a while; it is done once, for the first connection, and on a thread that
    /// may wait for the disk.
    private var context: EventLoopFuture<NIOSSLContext>?

    /// Prepares connections.
    ///
    /// - Parameters:
    ///   - endpoint: the namespace.
    ///   - tls: how TLS is spoken, where the endpoint asks for it.
    ///   - timeout: the time for making a connection, name resolution included.
    init(endpoint: HubEndpoint, tls: TLSConfiguration, timeout: TimeAmount) {
        host = endpoint.host
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
        lookup = HostLookup(host: host, port: port)
    }

    /// Begins to make a connection.
    ///
    /// - Parameter eventLoop: the loop that it lives on, and that this runs on; always the same.
    /// - Returns: the channel, on which TLS may still have to be agreed on.
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
        // The next connection tries again.
        context.assumeIsolated().whenFailure { _ in self.context = nil }
        return context
    }

    private func connect(
        on eventLoop: any EventLoop, _ context: NIOSSLContext?
    ) -> EventLoopFuture<any Channel> {
        if let address = Self.address(host, port) {
            return bootstrap(on: eventLoop, context, serverName: nil, within: timeout)
                .connect(to: address)
        }
        let end = NIODeadline.now() + timeout
        return lookup.addresses(on: eventLoop, within: timeout).assumeIsolated()
            .flatMap { addresses in
                self.bootstrap(
                    on: eventLoop, context, serverName: self.host,
                    within: max(end - .now(), .milliseconds(1))
                )
                .resolver(KnownAddresses(addresses: addresses, eventLoop: eventLoop))
                .connect(host: self.host, port: self.port)
            }.nonisolated()
    }

    private func bootstrap(
        on eventLoop: any EventLoop, _ context: NIOSSLContext?, serverName: String?,
        within limit: TimeAmount
    ) -> ClientBootstrap {
        ClientBootstrap(group: eventLoop)
            .connectTimeout(limit)
            // More than an answer, and nothing to adapt.
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: serverName))
                    }
                    try pipeline.addHandler(PushConnection(isSecure: context != nil))
                }
            }
    }

    /// The address that a host written as one stands for; nil for a name.
    private static func address(_ host: String, _ port: Int) -> SocketAddress? {
        do {
            return try SocketAddress(ipAddress: host, port: port)
        } catch {
            return nil
        }
    }
}
