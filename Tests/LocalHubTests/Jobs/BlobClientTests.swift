import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocalHub

/// Stores that answer before they have the whole request.
@Suite(.bounded) struct BlobClientTests {
    /// More than the sockets of both sides take, so that it can only be written to a store that reads it.
    private static let blob = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 << 20)

    @Test func aRefusalBeforeTheWholeBlobCameIsHeard() async throws {
        let store = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        let port = try #require(store.channel.localAddress?.port)
        let address = try BlobAddress("http://127.0.0.1:\(port)/c/b", name: "OutputContainerUri")
        let (written, hasWritten) = AsyncStream.makeStream(of: Never.self)
        async let client: Void = {
            defer { hasWritten.finish() }
            let client = BlobClient(limit: 1, timeout: .seconds(60))
            await #expect(throws: BlobFailure.refused(status: 403)) {
                try await client.write(Self.blob, to: address)
            }
        }()
        try await store.executeThenClose { connections in
            for try await connection in connections {
                try await connection.executeThenClose { inbound, outbound in
                    // The head; as nobody asks for the rest, no more than a little of it is read.
                    _ = try await inbound.first { _ in true }
                    try await outbound.write(
                        ByteBuffer(string: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"))
                    outbound.finish()
                    for await _ in written {}
                }
                break
            }
        }
        await client
    }
}
