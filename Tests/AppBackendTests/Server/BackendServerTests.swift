import CampaignCore
import Foundation
import InMemoryLogging
import Logging
import NIOCore
import NIOSSL
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import AppBackend

/// Tests the server over real sockets: its refusals, its limits and how it stops.
@Suite(.bounded)
struct BackendServerTests {
    static let malformed: [String] = [
        "garbage\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", "GET\r\n\r\n",
        "GET /health HTTP/9.9\r\n\r\n", "G ET /health HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
        "GET /api/% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        "PUT /api/register/1 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "PUT /api/register/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "PUT /api/register/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "PUT /api/register/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx",
        "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\n" + (1...100).map { "X-\($0): a\r\n" }.joined()
            + "\r\n",
        "GET /\(String(repeating: "a", count: 10_000)) HTTP/1.1\r\nHost: a\r\n"
            + "Connection: close\r\n\r\n",
    ]

    @Test(
        "Malformed HTTP gets a 4xx status, and the connection is closed",
        arguments: malformed.indices)
    func malformedHTTPGetsA4xxStatusAndTheConnectionIsClosed(index: Int) async throws {
        try await BackendUnderTest.listen { _, server in
            let answer = try await RawConnection.exchange(port: server.port, Self.malformed[index])
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(Self.malformed[index].prefix(60))")
            let next = try await RawConnection.exchange(
                port: server.port, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(next.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("An HTTP/1.0 request does not require a Host field")
    func http10RequestDoesNotRequireAHostField() async throws {
        try await BackendUnderTest.listen { backend, server in
            let id = try await backend.notify([.alice])
            let answer = try await RawConnection.exchange(
                port: server.port,
                "GET /api/notifications/\(id) HTTP/1.0\r\nAuthorization: Test alice\r\n"
                    + "Connection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.contains("\"Payload\""))
        }
    }

    @Test(
        "A request that never ends is cut off",
        arguments: [
            "", "GET /api/notif", "GET /health HTTP/1.1\r\nHost: a\r\nX",
            "PUT /api/register/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
        ])
    func requestThatNeverEndsIsCutOff(start: String) async throws {
        try await BackendUnderTest.listen({
            $0.limits.idleTimeout = .milliseconds(50)
            $0.limits.bodyTimeout = .milliseconds(50)
        }) { _, server in
            let answer = try await RawConnection.exchange(port: server.port, start)
            #expect(answer.isEmpty)
        }
    }

    @Test(
        "An unreadable request head gets an error message and is audited",
        arguments: [
            (String(repeating: "A: b\r\n", count: 98), "{\"Status\":\"up\"}", 200),
            (String(repeating: "A: b\r\n", count: 99), "431 Request Header Fields Too Large", 431),
            ("A: \(String(repeating: "b", count: 16_000))\r\n", "{\"Status\":\"up\"}", 200),
            ("A: \(String(repeating: "b", count: 16_400))\r\n", "100 fields and 16384 bytes", 431),
            ("A b\r\n", "not valid HTTP/1.1", 400),
        ])
    func unreadableRequestHeadGetsAnErrorMessageAndIsAudited(
        fields: String, words: String, status: Int
    )
        async throws
    {
        let (backend, answer) = try await BackendUnderTest.listen { backend, server in
            let health = "GET /health HTTP/1.1\r\nHost: a\r\n"
            let answer = try await RawConnection.exchange(
                port: server.port,
                health + "\r\n" + health + "Connection: close\r\n" + fields + "\r\n")
            return (backend, answer)
        }
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.contains("HTTP/1.1 \(status)") && answer.contains(words), "\(answer)")
        let lines = try backend.auditLines()
        #expect(lines.count == (status == 200 ? 0 : 1))
        #expect(
            lines.first?.contains("malformed\",\"reason\":\"Th") == (status == 200 ? nil : true))
    }

    @Test("A connection serves several requests")
    func connectionServesSeveralRequests() async throws {
        let (bench, ids) = try await BackendUnderTest.listen { backend, server in
            var ids: [NotificationID] = []
            for _ in 1...3 { ids.append(try await backend.notify([.alice])) }
            let requests = ids.map { RawConnection.get("/api/notifications/\($0)", as: .alice) }
            let answer = try await RawConnection.exchange(
                port: server.port, requests.joined()
            ) { $0.components(separatedBy: "\"Payload\"").count == 4 }
            #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
            return (backend, ids)
        }
        for id in ids { #expect(try await bench.received(id, .alice)?.fetched != nil) }
    }

    @Test("After a response without a body, the connection can still be used")
    func afterAResponseWithoutABodyTheConnectionCanStillBeUsed() async throws {
        try await BackendUnderTest.listen { backend, server in
            let id = try await backend.notify(
                [.alice], kind: .rich, content: FetchTests.file("image/png"))
            let get = RawConnection.get("/api/notifications/\(id)", as: .alice)
            let answer = try await RawConnection.exchange(
                port: server.port,
                get.replacing("Host: a\r\n", with: "Host: a\r\nIf-None-Match: *\r\n")
                    + get.replacing("GET", with: "PUT").replacing(" HTTP", with: "/read HTTP")
                    + get.replacing("GET", with: "HEAD")
                    + get.replacing("Host: a\r\n", with: "Host: a\r\nConnection: close\r\n"))
            let lengths = answer.lowercased().components(separatedBy: "http/1.1 ").dropFirst()
                .map { answer in
                    let line = answer.split(separator: "\r\n")
                        .first { $0.hasPrefix("content-length: ") }
                    return "\(answer.prefix(3)) \(line?.dropFirst(16) ?? "-")"
                }
            #expect(lengths == ["304 -", "204 -", "200 10", "200 10"])
            #expect(!answer.lowercased().contains("transfer-encoding"))
        }
    }

    @Test("All large responses in flight share one limit")
    func allLargeResponsesInFlightShareOneLimit() async throws {
        try await BackendUnderTest.listen({ $0.limits.answerBytes = 64 << 20 }) { backend, server in
            let large = [UInt8](repeating: 7, count: 48 << 20)
            let id = try await backend.notify(
                [.alice, .bob], kind: .rich, content: FetchTests.file("image/png", large))
            let small = try await backend.notify([.bob])
            let another = RawConnection.get("/api/notifications/\(id)", as: .bob)
            @Sendable func status() async throws -> String {
                let answer = try await RawConnection.exchange(port: server.port, another) {
                    $0.utf8.count >= 12
                }
                return String(answer.dropFirst(9).prefix(3))
            }
            try await RawConnection.stall(
                port: server.port, RawConnection.get("/api/notifications/\(id)", as: .alice)
            ) { beginning in
                #expect(beginning.hasPrefix("HTTP/1.1 200"))
                #expect(try await status() == "503")
                let other = try await RawConnection.exchange(
                    port: server.port, RawConnection.get("/api/notifications/\(small)", as: .bob)
                ) { $0.contains("\"Payload\"") }
                #expect(other.hasPrefix("HTTP/1.1 200"))
            }
            // The share of the first request is returned when its connection has ended.
            var last = "503"
            while last == "503" { last = try await status() }
            #expect(last == "200")
        }
    }

    @Test("A stopping server finishes open requests and writes pending receipts")
    func stoppingServerFinishesOpenRequestsAndWritesPendingReceipts() async throws {
        let (bench, id, answer) = try await BackendUnderTest.listen { backend, server in
            let id = try await backend.notify([.alice])
            backend.hub.interrupt(.create) { await server.stop() }
            async let read = RawConnection.exchange(
                port: server.port,
                "PUT /api/notifications/\(id)/read HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Test alice\r\nConnection: close\r\n\r\n")
            #expect(try await read.hasPrefix("HTTP/1.1 204"))
            let answer = try await RawConnection.exchange(
                port: server.port,
                "POST /api/register HTTP/1.1\r\nHost: a\r\nAuthorization: Test alice\r\n\r\n")
            await server.hasStopped()
            return (backend, id, answer)
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
        #expect(answer.hasSuffix("\"100-1-1\""))
        #expect(try await bench.received(id, .alice)?.read != nil)
        let lines = try String(contentsOfFile: bench.folder.file("audit.jsonl"), encoding: .utf8)
        #expect(lines.contains("\"action\":\"register\",\"what\":\"100-1-1\""))
    }

    @Test("A cancelled server stops cleanly and logs no errors")
    func cancelledServerStopsCleanlyAndLogsNoErrors() async throws {
        let log = InMemoryLogHandler()
        let identity = try TestIdentity()
        let (addresses, ready) = AsyncStream.makeStream(of: String.self)
        let store = try SQLiteStore.open(at: identity.folder.file("store.sqlite"))
        let server = try await Self.server(
            identity, store: store, logger: Logger(label: "test") { _ in log },
            onReady: { ready.yield($0) })
        let running = Task { try await server.run() }
        let url = try #require(await addresses.first { _ in true })
        #expect(url.hasPrefix("http://127.0.0.1:"))
        running.cancel()
        try await running.value
        #expect(log.entries.allSatisfy { $0.level < .warning })
    }

    @Test("The server uses a certificate and key from files")
    func serverUsesACertificateAndKeyFromFiles() async throws {
        let identity = try TestIdentity()
        let tls = TLSFiles(
            certificate: try identity.folder.write(TestKeys.certificate, to: "c.pem"),
            key: try identity.folder.write(TestKeys.certificateKey, to: "k.pem", mode: 0o600))
        let configuration = try ServerTLS.configuration(
            from: tls, now: TestTime.start, logger: identity.logger)
        // Otherwise, the shutdown would end before the results of the last responses were known.
        #expect(configuration.shutdownTimeout < .seconds(1))
        try await BackendUnderTest.listen({
            $0.tls = configuration
            $0.scheme = .https
        }) { backend, server in
            let id = try await backend.notify([.alice])
            let trust = try NIOSSLCertificate.fromPEMBytes(Array(TestKeys.certificate.utf8))
            let answer = try await RawConnection.exchange(
                port: server.port, RawConnection.get("/api/notifications/\(id)", as: .alice),
                trusting: trust
            ) { $0.contains("\"Payload\"") }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            let withoutHost = try await RawConnection.exchange(
                port: server.port, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n",
                trusting: trust)
            #expect(withoutHost.hasPrefix("HTTP/1.1 400"))
            #expect(withoutHost.contains("The Host field is missing"))
            let plain = try await RawConnection.exchange(
                port: server.port, RawConnection.get("/health", as: .alice))
            #expect(!plain.contains("200"))
        }
    }

    // MARK: Wiring

    private static func server(
        _ identity: TestIdentity, store: SQLiteStore, host: String = "127.0.0.1", port: Int = 0,
        change: (inout BackendSettings) -> Void = { _ in }, logger: Logger = BackendUnderTest.quiet,
        onReady: @escaping @Sendable (String) async -> Void = { _ in }
    ) async throws -> BackendServer {
        var settings = BackendSettings(
            users: try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600))
        change(&settings)
        return try await BackendServer(
            settings: settings, host: host, port: port, store: store, registrar: MemoryHub(),
            sender: ScriptedSender(), hub: HubIdentity(host: "local", name: "hub"),
            audit: try AuditLog(path: identity.folder.file("audit.jsonl"), logger: logger),
            documents: ScriptedDocuments(), logger: logger, onReady: onReady)
    }

    @Test("Listening on a network without TLS is a configuration error")
    func listeningOnANetworkWithoutTLSIsAConfigurationError() async throws {
        let identity = try TestIdentity()
        let store = try SQLiteStore.open(at: identity.folder.file("store.sqlite"))
        for host in ["0.0.0.0", "::", "192.0.2.1", "example.org"] {
            await #expect(throws: BackendError.plainBeyondLoopback(host: host)) {
                _ = try await Self.server(identity, store: store, host: host)
            }
        }
        for host in ["127.0.0.1", "127.8.8.8", "::1", "localhost"] {
            _ = try await Self.server(identity, store: store, host: host)
        }
        let proxy = try #require(AddressRange("10.0.0.0/8"))
        _ = try await Self.server(
            identity, store: store, host: "0.0.0.0", change: { $0.proxies = [proxy] })
        await #expect(throws: BackendError.invalidPort(65_536)) {
            _ = try await Self.server(identity, store: store, port: 65_536)
        }
        await #expect(throws: IdentityError.noWayIn) {
            _ = try await Self.server(identity, store: store, change: { $0.users = nil })
        }
    }

    @Test("The message about a port in use names the port")
    func messageAboutAPortInUseNamesThePort() async throws {
        try await BackendUnderTest.listen { _, server in
            let identity = try TestIdentity()
            let store = try SQLiteStore.open(at: identity.folder.file("store.sqlite"))
            let second = try await Self.server(identity, store: store, port: server.port)
            let error = await #expect(throws: BackendError.self) { try await second.run() }
            #expect(error == .portInUse(host: "127.0.0.1", port: server.port))
            #expect(error?.description.contains("port \(server.port)") == true)
        }
    }
}
