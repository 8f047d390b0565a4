import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestServing
import TestSupport
import Testing

@testable import HTTPServing

/// Tests how responses are sent, on a channel whose clock and socket the test controls.
@Suite(.bounded) struct AnswerWatchTests {
    private static let piece = AnswerWatch.pieceBytes
    private static let stallTimeout = TimeAmount.seconds(30)
    private static let limits = {
        var limits = HTTPServerLimits(
            headerBytes: 16_384, headers: 64, idleTimeout: .seconds(60), bodyTimeout: .seconds(15),
            stallTimeout: .seconds(30), shutdownGrace: .seconds(10))
        limits.endsStalledAnswers = true
        return limits
    }()

    /// A connection with a response in flight; the socket has accepted no bytes yet.
    private final class Connection {
        let channel = EmbeddedChannel()
        let socket = FullSocket()
        private let ends: Ends

        /// The reported results of responses.
        private final class Ends: Sendable {
            let all = Mutex<[OutgoingAnswer.End]>([])
        }

        /// - Throws: the channel's error.
        init(body byteCount: Int, isMerging: Bool = false) throws {
            let ends = Ends()
            self.ends = ends
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(socket)
            if isMerging { try pipeline.addHandler(MergedWrites()) }
            try pipeline.addHandler(AnswerWatch(limits))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            channel.triggerUserOutboundEvent(
                OutgoingAnswer { end in ends.all.withLock { $0.append(end) } }, promise: nil)
            for part: HTTPServerResponsePart in [
                .head(HTTPResponseHead(version: .http1_1, status: .ok)),
                .body(.byteBuffer(ByteBuffer(bytes: (0..<byteCount).map { UInt8($0 % 251) }))),
                .end(nil),
            ] {
                channel.write(part, promise: nil)
            }
            channel.flush()
        }

        var end: [OutgoingAnswer.End] { ends.all.withLock { $0 } }

        func advance(by time: TimeAmount) {
            channel.embeddedEventLoop.advanceTime(by: time)
        }

        /// The bodies that were sent, one per piece.
        func bodies() throws -> [ByteBuffer] {
            var bodies: [ByteBuffer] = []
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                if case .body(.byteBuffer(let body)) = part { bodies.append(body) }
            }
            return bodies
        }
    }

    @Test("A response is sent in pieces") func responseIsSentInPieces() throws {
        let connection = try Connection(body: 2 * Self.piece + 100)
        defer { connection.socket.end() }
        #expect(connection.socket.count == 5)
        connection.socket.take(5)
        let bodies = try connection.bodies()
        #expect(bodies.map(\.readableBytes) == [Self.piece, Self.piece, 100])
        let bytes = bodies.flatMap { Array($0.readableBytesView) }
        #expect(bytes == (0..<2 * Self.piece + 100).map { UInt8($0 % 251) })
        #expect(connection.end == [.whole])
    }

    @Test("A slow client that makes progress has no time limit")
    func slowClientThatMakesProgressHasNoTimeLimit() throws {
        let connection = try Connection(body: 20 * Self.piece)
        defer { connection.socket.end() }
        for _ in 1...21 {
            connection.advance(by: .seconds(29))
            #expect(connection.channel.isActive)
            connection.socket.take(1)
        }
        #expect(connection.end == [])
        connection.socket.take(1)
        #expect(connection.end == [.whole])
        // All responses have been sent, and idle connections are not tested here.
        connection.advance(by: .hours(1))
        #expect(connection.channel.isActive)
    }

    @Test("A slow client that makes progress over TLS has no time limit")
    func slowClientThatMakesProgressOverTLSHasNoTimeLimit() throws {
        let connection = try Connection(body: 20 * Self.piece, isMerging: true)
        defer { connection.socket.end() }
        // Each piece is a separate write, except the last, which is combined with the end.
        #expect(connection.socket.count == 20)
        for _ in 1...20 {
            #expect(connection.end == [])
            connection.advance(by: .seconds(29))
            #expect(connection.channel.isActive)
            connection.socket.take(1)
        }
        #expect(connection.end == [.whole])
        var bytes: [UInt8] = []
        while let written = try connection.channel.readOutbound(as: ByteBuffer.self) {
            bytes += written.readableBytesView
        }
        #expect(bytes == (0..<20 * Self.piece).map { UInt8($0 % 251) })
    }

    @Test("A stalled client is cut off, and the number of bytes it received is reported")
    func stalledClientIsCutOffAndTheNumberOfBytesItReceivedIsReported() throws {
        let connection = try Connection(body: 20 * Self.piece)
        defer { connection.socket.end() }
        connection.advance(by: .seconds(29))
        connection.socket.take(3)
        connection.advance(by: .seconds(29))
        #expect(connection.channel.isActive)
        connection.advance(by: .seconds(1))
        #expect(!connection.channel.isActive)
        #expect(connection.end == [.cutOff(after: 2 * Self.piece)])
    }

    @Test(
        "Closing a connection waits until the response is sent",
        arguments: [CloseMode.all, .output])
    func closingAConnectionWaitsUntilTheResponseIsSent(mode: CloseMode) throws {
        let connection = try Connection(body: 4 * Self.piece)
        defer { connection.socket.end() }
        var isClosed = false
        connection.channel.close(mode: mode).assumeIsolated().whenComplete { _ in isClosed = true }
        connection.socket.take(5)
        #expect(!isClosed)
        #expect(connection.channel.isActive)
        connection.socket.take(1)
        #expect(connection.end == [.whole])
        #expect(isClosed)
    }

    @Test("While closing waits for a response, no new request is read")
    func whileClosingWaitsForAResponseNoNewRequestIsRead() throws {
        let connection = try Connection(body: 4 * Self.piece)
        defer { connection.socket.end() }
        connection.channel.close(promise: nil)
        try connection.channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
        #expect(try connection.channel.readInbound(as: ByteBuffer.self) == nil)
        #expect(throws: ChannelError.ioOnClosedChannel) {
            try connection.channel.writeAndFlush(HTTPServerResponsePart.end(nil)).wait()
        }
        #expect(connection.socket.count == 6)
    }

    @Test("Closing a connection does not wait for a stalled client")
    func closingAConnectionDoesNotWaitForAStalledClient() throws {
        let connection = try Connection(body: 4 * Self.piece)
        defer { connection.socket.end() }
        connection.channel.close(promise: nil)
        connection.advance(by: Self.stallTimeout)
        #expect(!connection.channel.isActive)
        #expect(connection.end == [.cutOff(after: 0)])
    }

    @Test("When the server stops, responses have only the grace period to finish")
    func whenTheServerStopsResponsesHaveOnlyTheGracePeriodToFinish() throws {
        let connection = try Connection(body: 20 * Self.piece)
        defer { connection.socket.end() }
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.channel.close(promise: nil)
        for _ in 1...9 {
            connection.advance(by: .seconds(1))
            connection.socket.take(2)
            #expect(connection.channel.isActive)
        }
        connection.advance(by: .seconds(1))
        #expect(!connection.channel.isActive)
        #expect(connection.end == [.cutOff(after: 17 * Self.piece)])
    }
}
