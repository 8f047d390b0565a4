import CampaignCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Sends arbitrary bytes over a real socket, as no well-behaved client would.
enum RawConnection {
    /// A request that keeps its connection open.
    static func get(_ path: String, as user: Username) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Test \(user)\r\n\r\n"
    }

    /// Sends text and reads until the server closes the connection or enough has arrived.
    ///
    /// - Parameter certificates: certificates to trust over TLS; nil uses plain HTTP.
    static func exchange(
        port: Int, _ request: String, trusting certificates: [NIOSSLCertificate]? = nil,
        until isEnough: @Sendable (String) -> Bool = { _ in false },
        whenSent: @Sendable () async -> Void = {}
    ) async throws -> String {
        try await exchange(
            port: port, Array(request.utf8), trusting: certificates, until: isEnough,
            whenSent: whenSent)
    }

    /// Sends bytes that need not be text.
    static func exchange(
        port: Int, _ request: [UInt8], trusting certificates: [NIOSSLCertificate]? = nil,
        until isEnough: @Sendable (String) -> Bool = { _ in false },
        whenSent: @Sendable () async -> Void = {}
    ) async throws -> String {
        try await connect(port, trusting: certificates).executeThenClose { inbound, outbound in
            var answer = ""
            do {
                try await outbound.write(ByteBuffer(bytes: request))
                await whenSent()
                for try await chunk in inbound {
                    answer += String(buffer: chunk)
                    if isEnough(answer) { break }
                }
            } catch let error as IOError
                where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
            {
                // A reset also ends the connection.
            } catch ChannelError.ioOnClosedChannel {
                // The server may close the connection before everything was sent.
            }
            return answer
        }
    }

    /// Reads only the beginning of the response and does some work before closing the connection.
    static func stall<Value: Sendable>(
        port: Int, _ request: String,
        while work: @Sendable (_ beginning: String) async throws -> Value
    ) async throws -> Value {
        try await connect(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var chunks = inbound.makeAsyncIterator()
            let beginning = try await chunks.next().map { String(buffer: $0) } ?? ""
            return try await work(beginning)
        }
    }

    /// Reads the beginning of the response, does some work, then reads to the end.
    ///
    /// - Returns: the number of bytes received, head and body; 0 if the server closed the
    ///   connection before it read the request, in which case the work was not done.
    static func pause(
        port: Int, _ request: String, while work: @Sendable () async throws -> Void
    ) async throws -> Int {
        try await connect(port).executeThenClose { inbound, outbound in
            var count = 0
            do {
                try await outbound.write(ByteBuffer(string: request))
                var chunks = inbound.makeAsyncIterator()
                guard let first = try await chunks.next() else { return 0 }
                count = first.readableBytes
                try await work()
                while let chunk = try await chunks.next() { count += chunk.readableBytes }
            } catch let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode) {
                // A reset also ends the connection.
            } catch ChannelError.ioOnClosedChannel {
                // The server closed the connection before the request was sent.
            }
            return count
        }
    }

    private static func connect(
        _ port: Int, trusting certificates: [NIOSSLCertificate]? = nil
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = certificates.map { .certificates($0) } ?? .default
        configuration.certificateVerification = .noHostnameVerification
        let tls = try certificates.map { _ in try NIOSSLContext(configuration: configuration) }
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: nil))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
    }
}
