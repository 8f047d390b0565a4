import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A real server on a loopback socket that answers each request as a script says.
struct ScriptedHub: Sendable {
    /// Returns the response to a request; requests are numbered from 0.
    typealias Script = @Sendable (Int, ReceivedRequest) -> ScriptedAnswer

    let record: HubRecord
    let port: Int

    func connectionString(scheme: String = "http", host: String = "127.0.0.1") -> String {
        "Endpoint=\(scheme)://\(host):\(port)/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
    }

    /// An address that refuses connections: nothing listens at port 1.
    static let refusing =
        "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"

    /// Runs a hub with TLS or, if it has no identity, with plain HTTP.
    static func with<Value>(
        tls identity: TLSIdentity? = nil, tunnelAnswer: String = "HTTP/1.1 200 OK\r\n\r\n",
        answersEarly: Bool = false, script: @escaping Script,
        _ use: (ScriptedHub) async throws -> Value
    ) async throws -> Value {
        let record = HubRecord()
        let context = try identity.map(sslContext)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(TunnelHandler(record: record, answer: tunnelAnswer))
                    if let context {
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(
                        ScriptedHubHandler(
                            record: record, answersEarly: answersEarly, script: script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let hub = ScriptedHub(record: record, port: server.localAddress?.port ?? 0)
        do {
            let value = try await use(hub)
            try await server.close()
            return value
        } catch {
            try await server.close()
            throw error
        }
    }

    private static func sslContext(_ identity: TLSIdentity) throws -> NIOSSLContext {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) },
                privateKey: .privateKey(key)))
    }
}
