import Foundation
import NIOSSL
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// Tests which responses end their connection, and how they announce this.
@Suite(.bounded) struct ConnectionPersistenceTests {
    private static let start = "HTTP/1.1 200 OK\r\n"

    private static func health(_ version: String, _ fields: String = "") -> String {
        "GET /health HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n"
    }

    private static func count(_ text: String, in answer: String) -> Int {
        answer.components(separatedBy: text).count - 1
    }

    @Test(
        "If a client asks to close the connection, the response confirms it",
        arguments: [
            health("1.1", "Connection: close\r\n"), health("1.1", "connection: Close\r\n"),
            health("1.1", "Connection: TE, close\r\n"), health("1.1", "Connection: close , TE\r\n"),
            health("1.1", "Connection: TE\r\nConnection: close\r\n"),
            health("1.1", "Connection: keep-alive, close\r\n"), health("1.0"),
            health("1.0", "Connection: TE\r\n"), "GET /health HTTP/1.0\r\n\r\n",
            health("1.0", "Connection: keep-alive, close\r\n"),
        ], [false, true])
    func ifAClientAsksToCloseTheConnectionTheResponseConfirmsIt(request: String, isSecure: Bool)
        async throws
    {
        let trust = try NIOSSLCertificate.fromPEMBytes(Array(TestKeys.certificate.utf8))
        try await BackendUnderTest.listen({
            guard isSecure else { return }
            let key = try NIOSSLPrivateKey(
                bytes: Array(TestKeys.certificateKey.utf8), format: .pem)
            $0.tls = .makeServerConfiguration(
                certificateChain: trust.map { .certificate($0) }, privateKey: .privateKey(key))
        }) { _, server in
            let answer = try await RawConnection.exchange(
                port: server.port, Self.health("1.1") + request + Self.health("1.1"),
                trusting: isSecure ? trust : nil)
            #expect(Self.count(Self.start, in: answer) == 2)
            #expect(Self.count("Connection: close\r\n", in: answer) == 1)
            let last = try #require(answer.components(separatedBy: Self.start).last)
            #expect(last.contains("Connection: close\r\n"))
        }
    }

    @Test("An HTTP/1.0 connection is kept alive on request, and the response confirms it")
    func http10ConnectionIsKeptAliveOnRequestAndTheResponseConfirmsIt() async throws {
        try await BackendUnderTest.listen { _, server in
            let answer = try await RawConnection.exchange(
                port: server.port,
                Self.health("1.0", "Connection: Keep-Alive\r\n") + Self.health("1.0"))
            #expect(Self.count(Self.start, in: answer) == 2)
            #expect(Self.count("Connection: keep-alive\r\n", in: answer) == 1)
            #expect(Self.count("Connection: close\r\n", in: answer) == 1)
        }
    }

    @Test("An HTTP/1.1 connection is kept alive without a Connection field")
    func http11ConnectionIsKeptAliveWithoutAConnectionField() async throws {
        try await BackendUnderTest.listen { _, server in
            let answer = try await RawConnection.exchange(
                port: server.port, Self.health("1.1") + Self.health("1.1", "Connection: TE\r\n")
            ) { Self.count(Self.start, in: $0) == 2 && $0.hasSuffix("}") }
            #expect(!answer.contains("Connection:"))
        }
    }

    @Test("An HTTP/1.0 client gets no interim response")
    func http10ClientGetsNoInterimResponse() async throws {
        try await BackendUnderTest.listen { _, server in
            let fields = "Expect: 100-continue\r\nContent-Length: 2\r\n"
            let answer = try await RawConnection.exchange(
                port: server.port, Self.health("1.0", fields) + "{}")
            #expect(answer.hasPrefix(Self.start))
        }
    }

    @Test("While many connections are open, new ones close after one response")
    func whileManyConnectionsAreOpenNewOnesCloseAfterOneResponse() async throws {
        try await BackendUnderTest.listen({ $0.limits.connections = 4 }) { _, server in
            @Sendable func ends() async throws -> Bool {
                try await RawConnection.exchange(port: server.port, Self.health("1.1")) {
                    $0.hasSuffix("}") && !$0.contains("close")
                }.contains("Connection: close\r\n")
            }
            let health = Self.health("1.1")
            try await StubbornClient.hold(port: server.port, health, until: .answered) {
                try await StubbornClient.hold(port: server.port, health, until: .answered) {
                    let isLast = try await ends()
                    #expect(!isLast)
                    try await StubbornClient.hold(port: server.port, health, until: .answered) {
                        let isLast = try await ends()
                        #expect(isLast)
                    }
                }
            }
        }
    }
}
