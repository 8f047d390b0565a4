import CampaignCore
import Foundation
import NIOCore
import NIOPosix

/// Bytes over a real socket, for what no well-behaved client sends.
enum RawConnection {
    /// A request as text, on a connection that stays.
    static func get(_ path: String, as user: Username) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Test \(user)\r\n\r\n"
    }

    /// Sends bytes and reads until the server closes the connection, or until enough has come.
    static func exchange(
        port: Int, _ request: String, until isEnough: @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        try await connect(port).executeThenClose { inbound, outbound in
            var answer = ""
            do {
                try await outbound.write(ByteBuffer(string: request))
                for try await chunk in inbound {
                    answer += String(buffer: chunk)
                    if isEnough(answer) { break }
                }
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                // A reset is an end of the connection too.
            } catch ChannelError.ioOnClosedChannel {
                // The server may close the connection before all was sent.
            }
            return answer
        }
    }

    /// Sends bytes, reads the beginning of the answer and no more, and does something before it
    /// closes the connection.
    static func stall(
        port: Int, _ request: String,
        while work: @Sendable (_ beginning: String) async throws -> Void
    ) async throws {
        try await connect(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var chunks = inbound.makeAsyncIterator()
            let beginning = try await chunks.next().map { String(buffer: $0) } ?? ""
            try await work(beginning)
        }
    }

    private static func connect(
        _ port: Int
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
    }
}
