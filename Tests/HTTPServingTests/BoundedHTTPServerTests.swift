import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import TestServing
import TestSupport
import Testing

@Suite(.bounded) struct BoundedHTTPServerTests {
    private static let limits = HTTPServerLimits(
        headerBytes: 1_024, headers: 8, idleTimeout: .seconds(60), bodyTimeout: .seconds(15),
        stallTimeout: .seconds(30), shutdownGrace: .seconds(5))

    private static func run(_ test: @Sendable (SocketClient) async throws -> Void) async throws {
        let server = BoundedHTTPServer(limits: limits) { request, byteCount, _ in
            guard byteCount > 10 else { return nil }
            return Response(
                status: .contentTooLarge, headers: [.connection: "close"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path)))
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                let body = try await request.body.collect(upTo: .max)
                return Response(status: .ok, body: ResponseBody(byteBuffer: body))
            },
            server: server.plain,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: quiet)
        try await withServices([application], logger: quiet) {
            try await test(SocketClient(port: try #require(await ports.first { _ in true })))
        }
    }

    @Test("A body within the limit reaches the responder as a whole")
    func bodyWithinTheLimitReachesTheResponderAsAWhole() async throws {
        try await Self.run { client in
            let answer = try await client.execute(
                uri: "/", method: .post, headers: [:], body: ByteBuffer(string: "0123456789"))
            #expect(answer.status == .ok)
            #expect(answer.text == "0123456789")
        }
    }

    @Test("A body above the limit is refused, and the connection is closed")
    func bodyAboveTheLimitIsRefusedAndTheConnectionIsClosed() async throws {
        try await Self.run { client in
            let answer = try await client.execute(
                uri: "/large", method: .post, headers: [:], body: ByteBuffer(string: "0123456789a"))
            #expect(answer.status == .contentTooLarge)
            #expect(answer.text == "/large")
            #expect(answer.header("Connection") == "close")
        }
    }

    @Test("Too many header fields are refused") func tooManyHeaderFieldsAreRefused() async throws {
        try await Self.run { client in
            var headers: HTTPFields = [:]
            for number in 1...9 {
                let name = try #require(HTTPField.Name("X-\(number)"))
                headers.append(HTTPField(name: name, value: "a"))
            }
            let answer = try await client.execute(
                uri: "/", method: .get, headers: headers, body: nil)
            #expect(answer.status == .badRequest)
        }
    }
}
