import Foundation
import NIOCore
import NIOPosix
import NIOSSL

@testable import LocalHub

/// Raw bytes over TLS, which no well-behaved client would send.
enum RawTLSConnection {
    /// The preface of an HTTP/2 client, and empty settings (RFC 9113, 3.4).
    static let http2Preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Negotiates a protocol, sends bytes, and reads to the end; if the authority is nil, the
    /// system's authorities are trusted.
    static func exchange(
        _ address: LocalHubAddress, _ agreed: String, _ bytes: [UInt8],
        trusting authority: String?, onAnswer: () -> Void = {}
    ) async throws -> [UInt8] {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = [agreed]
        if let authority {
            tls.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        }
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: address.tlsPort ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var answer: [UInt8] = []
            do {
                try await outbound.write(ByteBuffer(bytes: bytes))
            } catch ChannelError.ioOnClosedChannel {
                // The hub may close the connection before everything was sent; reading then reveals
                // why.
            }
            do {
                for try await chunk in inbound {
                    answer += Array(chunk.readableBytesView)
                    onAnswer()
                }
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                // A reset also ends the connection.
            } catch NIOSSLError.uncleanShutdown {
                // A close without a TLS alert also ends the connection.
            }
            return answer
        }
    }
}
