import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct SlowWriterTests {
    private func channel(_ bytesPerSecond: Int) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: SlowWriter(bytesPerSecond: bytesPerSecond))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func written(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: bytes)
        }
        return text
    }

    @Test("Output is limited to the configured rate")
    func outputIsLimitedToTheConfiguredRate() throws {
        let channel = try channel(40)
        channel.writeAndFlush(ByteBuffer(string: "abcdefgh"), promise: nil)
        #expect(try written(channel) == "")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(50))
        #expect(try written(channel) == "ab")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        #expect(try written(channel) == "cdef")
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try written(channel) == "gh")
        _ = try channel.finish()
    }

    @Test("A rate below one byte per tick works") func rateBelowOneBytePerTickWorks() throws {
        let channel = try channel(2)
        channel.writeAndFlush(ByteBuffer(string: "abc"), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
        #expect(try written(channel) == "")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try written(channel) == "a")
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try written(channel) == "bc")
        _ = try channel.finish()
    }

    @Test("The connection is closed after the last byte")
    func connectionIsClosedAfterTheLastByte() throws {
        let channel = try channel(40)
        channel.writeAndFlush(ByteBuffer(string: "abcd"), promise: nil)
        let closed = channel.close()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(50))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(50))
        #expect(try written(channel) == "abcd")
        #expect(!channel.isActive)
        try closed.wait()
    }

    @Test("At shutdown, the remaining bytes are sent immediately")
    func atShutdownTheRemainingBytesAreSentImmediately() throws {
        let channel = try channel(1)
        channel.writeAndFlush(ByteBuffer(string: "abcd"), promise: nil)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try written(channel) == "abcd")
        _ = try channel.finish()
    }
}
