import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestServing
import TestSupport
import Testing

@testable import HTTPServing

/// The end of a connection whose client still reads, and may read as slowly as it likes, on a
/// channel whose time and whose socket the test makes.
@Suite(.bounded) struct AnswersBeforeCloseTests {
    private static let limits = HTTPServerLimits(
        headerBytes: 32_768, headers: 100, idleTimeout: .seconds(120), bodyTimeout: .seconds(30),
        stallTimeout: .seconds(120), shutdownGrace: .seconds(5))

    /// A connection with an answer on its way, of a head, two pieces and an end, none of which the
    /// socket has taken yet.
    ///
    /// - Throws: when the channel does.
    private static func connection(
        through between: (any ChannelHandler)? = nil, writes: Int = 4
    ) throws -> (EmbeddedChannel, FullSocket) {
        let channel = EmbeddedChannel()
        let socket = FullSocket()
        try channel.pipeline.syncOperations.addHandlers(
            [socket] + (between.map { [$0] } ?? [])
                + [AnswerWatch(limits)])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for part: HTTPServerResponsePart in [
            .head(HTTPResponseHead(version: .http1_1, status: .ok)),
            .body(.byteBuffer(ByteBuffer(repeating: 7, count: 20_000))), .end(nil),
        ] {
            channel.write(part, promise: nil)
        }
        channel.flush()
        #expect(socket.count == writes)
        return (channel, socket)
    }

    @Test func aCloseWaitsForTheAnswerHoweverSlowItsClientIs() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.close(promise: nil)
        for _ in 1...4 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(119))
            #expect(channel.isActive)
            socket.take(1)
        }
        #expect(!channel.isActive)
    }

    @Test func theSameHoldsOverTLSWhichTellsOfAllThatIsFlushedAtOnce() throws {
        let (channel, socket) = try Self.connection(through: MergedWrites(), writes: 2)
        defer { socket.end() }
        channel.close(promise: nil)
        for _ in 1...2 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(119))
            #expect(channel.isActive)
            socket.take(1)
        }
        #expect(!channel.isActive)
    }

    @Test func anIdleConnectionOverTLSWaitsForTheAnswerToo() throws {
        let timer = ConnectionTimer(handshakeTimeout: .hours(1), idleTimeout: .seconds(60))
        let (channel, socket) = try Self.connection(through: timer)
        defer { socket.end() }
        timer.requestBegan()
        timer.requestEnded()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        socket.take(4)
        #expect(!channel.isActive)
    }

    @Test func aCloseDoesNotWaitForAClientThatTakesNothing() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(119))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func nobodyIsCutOffForReadingSlowlyAlone() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test func whenTheServerEndsAnAnswerHasItsGraceAndNoMore() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        socket.take(3)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }
}
