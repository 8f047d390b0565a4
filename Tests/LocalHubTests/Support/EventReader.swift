import Foundation
import NIOCore
import NIOPosix

@testable import LocalHub

/// Reads server-sent events from a real socket for as long as a test wants to.
enum EventReader {
    /// What a stream has brought so far.
    struct Events {
        /// The whole answer.
        var text = ""

        /// The ids of the events, in order.
        var ids: [Int] {
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
                .compactMap { Int($0.dropFirst(4)) }
        }
    }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - port: the hub's port on 127.0.0.1.
    ///   - path: the path of the stream.
    ///   - headers: header lines, each with its line break.
    ///   - onChange: called whenever something has come; the connection is closed once it returns true.
    /// - Returns: what came until then, or until the hub ended the stream.
    /// - Throws: when the connection cannot be made or breaks, or `onChange` throws.
    static func read(
        port: Int, _ path: String, headers: String = "",
        onChange: (Events) async throws -> Bool
    ) async throws -> Events {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var events = Events()
            try await outbound.write(
                ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n"))
            for try await chunk in inbound {
                events.text += String(buffer: chunk)
                if try await onChange(events) { break }
            }
            return events
        }
    }
}
