import HTTPServing
import HTTPTypes
import Logging
import NIOCore
import TestServing
import TestSupport
import Testing

@Suite(.bounded) struct StatusServerTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func server(port: Int = 0, isGood: Bool = true) -> StatusServer {
        StatusServer(
            host: "127.0.0.1", port: port,
            pages: { path in
                path == "/health" ? StatusServer.Page("It works.\n", isGood: isGood) : nil
            }, logger: quiet)
    }

    private static func port(of url: String) throws -> Int {
        try #require(url.split(separator: ":").last.flatMap { Int($0) })
    }

    @Test(
        "A status page returns the status code that a supervisor expects",
        arguments: [(true, HTTPResponse.Status.ok), (false, .serviceUnavailable)])
    func statusPageReturnsTheStatusCodeThatASupervisorExpects(
        isGood: Bool, status: HTTPResponse.Status
    ) async throws {
        try await Self.server(isGood: isGood).serve { url in
            let client = SocketClient(port: try Self.port(of: url))
            func get(_ uri: String, _ method: HTTPRequest.Method = .get) async throws
                -> TestResponse
            {
                try await client.execute(uri: uri, method: method, headers: [:], body: nil)
            }
            let answer = try await get("/health?full=1")
            #expect(answer.status == status)
            #expect(answer.text == "It works.\n")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(try await get("/health", .post).status == .methodNotAllowed)
            #expect(try await get("/other").status == .notFound)
        }
    }

    @Test("The status server refuses bodies, long headers and other methods")
    func statusServerRefusesBodiesLongHeadersAndOtherMethods() async throws {
        try await Self.server().serve { url in
            let client = SocketClient(port: try Self.port(of: url))
            let told = try await client.execute(
                uri: "/health", method: .post, headers: [:], body: ByteBuffer(string: "x"))
            #expect(told.status == .contentTooLarge)
            var headers: HTTPFields = [:]
            for number in 1...65 {
                let name = try #require(HTTPField.Name("X-\(number)"))
                headers.append(HTTPField(name: name, value: "a"))
            }
            let long = try await client.execute(
                uri: "/health", method: .get, headers: headers, body: nil)
            #expect(long.status == .badRequest)
            let other = try await client.execute(
                uri: "/health", method: .put, headers: [:], body: nil)
            #expect(other.status == .methodNotAllowed)
        }
    }

    @Test("If the status port is in use, the work does not start")
    func ifTheStatusPortIsInUseTheWorkDoesNotStart() async throws {
        try await Self.server().serve { url in
            let port = try Self.port(of: url)
            let error = await #expect(throws: StatusServerError.self) {
                try await Self.server(port: port).serve { _ in
                    Issue.record("two servers have one port")
                }
            }
            #expect(error?.description.contains("the port is in use") == true)
        }
    }
}
