import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocalHub

/// Blob stores that answer before they have read the whole request.
@Suite(.bounded) struct BlobClientTests {
    /// Larger than the socket buffers of both sides, so it can be written only to a store that
    /// reads it.
    private static let blob = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 << 20)

    @Test("A refusal in the middle of an upload is reported")
    func refusalInTheMiddleOfAnUploadIsReported() async throws {
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
                    // This reads the head; only a little of the rest is read, because nothing
                    // requests it.
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
