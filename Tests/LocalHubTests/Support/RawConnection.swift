import Foundation
import NIOCore
import NIOPosix

@testable import LocalHub

/// Raw bytes over a real socket, which no well-behaved client would send.
enum RawConnection {
    /// Sends bytes to 127.0.0.1, then more after the first response; reads until the end or until
    /// enough has arrived.
    static func exchange(
        port: Int, _ request: String, then continuation: String? = nil,
        until isEnough: (String) async throws -> Bool = { _ in false }
    ) async throws -> String {
        try await exchange(
            port: port, Array(request.utf8), then: continuation.map { Array($0.utf8) },
            until: isEnough)
    }

    /// The same, for bytes that are not text.
    static func exchange(
        port: Int, _ request: [UInt8], then continuation: [UInt8]? = nil,
        until isEnough: (String) async throws -> Bool = { _ in false }
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var answer = ""
            var continuation = continuation
            do {
                try await outbound.write(ByteBuffer(bytes: request))
                for try await chunk in inbound {
                    answer += String(buffer: chunk)
                    if let next = continuation {
                        continuation = nil
                        try await outbound.write(ByteBuffer(bytes: next))
                    }
                    if try await isEnough(answer) { break }
                }
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                // A reset also ends the connection.
            } catch ChannelError.ioOnClosedChannel {
                // The hub may close the connection before everything was sent.
            }
            return answer
        }
    }

    /// A complete send as text, after which the hub closes the connection.
    static func send(
        tags: String = "username:alice", body: String = HubUnderTest.silent, headers: String = ""
    ) -> String {
        """
        POST /hubsend/messages?api-version=2020-06 HTTP/1.1\r
        Host: 127.0.0.1\r
        Authorization: \(token)\r
        ServiceBusNotification-Format: apple\r
        ServiceBusNotification-Tags: \(tags)\r
        Content-Length: \(body.utf8.count)\r
        Connection: close\r
        \(headers)\r
        \(body)
        """
    }

    static var token: String {
        TestToken.make(.developmentFull, audience: "http://127.0.0.1/hubsend")
    }
}
