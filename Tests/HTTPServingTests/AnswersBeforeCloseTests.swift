import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestServing
import TestSupport
import Testing

@testable import HTTPServing

/// Tests the end of a connection whose client reads arbitrarily slowly, on a channel whose clock
/// and socket the test controls.
@Suite(.bounded) struct AnswersBeforeCloseTests {
    private static let limits = HTTPServerLimits(
        headerBytes: 32_768, headers: 100, idleTimeout: .seconds(120), bodyTimeout: .seconds(30),
        stallTimeout: .seconds(120), shutdownGrace: .seconds(5))

    /// A connection with a response in flight: a head, two pieces and an end, none of them accepted
    /// by the socket yet.
    ///
    /// - Throws: the channel's error.
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

    @Test("Closing a connection waits for the response to a slow client")
    func closingAConnectionWaitsForTheResponseToASlowClient() throws {
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

    @Test("Closing a connection over TLS waits for the response to a slow client")
    func closingAConnectionOverTLSWaitsForTheResponseToASlowClient() throws {
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

    @Test("Closing an idle TLS connection waits for the response")
    func closingAnIdleTLSConnectionWaitsForTheResponse() throws {
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

    @Test("Closing a connection does not wait for a stalled client")
    func closingAConnectionDoesNotWaitForAStalledClient() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(119))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("Reading slowly never ends a connection")
    func readingSlowlyNeverEndsAConnection() throws {
        let (channel, socket) = try Self.connection()
        defer { socket.end() }
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("When the server stops, a response has only the grace period to finish")
    func whenTheServerStopsAResponseHasOnlyTheGracePeriodToFinish() throws {
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
