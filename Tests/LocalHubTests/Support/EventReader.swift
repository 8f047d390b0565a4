import Foundation
import NIOCore
import NIOPosix

enum EventReader {
    struct Events {
        var text = ""

        var ids: [Int] {
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
                .compactMap { Int($0.dropFirst(4)) }
        }
    }

    /// Opens a stream at 127.0.0.1; the connection is closed once `onChange` returns true.
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
