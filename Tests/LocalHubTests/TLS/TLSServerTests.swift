import AsyncHTTPClient
import Crypto
import Foundation
import InMemoryLogging
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import SwiftASN1
import Synchronization
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded, .serialized)
struct TLSServerTests {
    @Test("Both ports serve one hub and are announced once")
    func bothPortsServeOneHubAndAreAnnouncedOnce() async throws {
        var configuration = LocalHubConfiguration()
        configuration.tls = LocalHubTLS()
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        let announcements = Mutex(0)
        let (ready, isReady) = AsyncStream.makeStream(of: LocalHubAddress.self)
        let server = try LocalHubServer(
            configuration: configuration, logger: HubUnderTest.quiet
        ) { address in
            announcements.withLock { $0 += 1 }
            isReady.yield(address)
        }
        let running = Task { try await server.run() }
        let address = try #require(await ready.first { _ in true })
        #expect(address.tlsPort != nil && address.tlsPort != address.port)
        #expect(address.httpsURL == "https://localhost:\(address.tlsPort ?? 0)")
        #expect(address.authorityPEM?.hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
        #expect(address.authorityPEM?.hasSuffix("-----END CERTIFICATE-----\n") == true)
        try await SecureHub.withClient(.http2, trusting: address.authorityPEM) { client in
            let hub = SecureHub(address: address, server: server, client: client)
            try await hub.expectSent()
        }
        let token = SecureHub.token(for: "127.0.0.1")
        let plain = try await RawConnection.exchange(
            port: address.port,
            RawConnection.send().replacing(RawConnection.token, with: token))
        #expect(plain.hasPrefix("HTTP/1.1 201"))
        #expect(await server.received(by: "alice").count == 2)
        running.cancel()
        try await running.value
        #expect(announcements.withLock { $0 } == 1)
    }

    @Test("Over TLS, all addresses of the hub use https", arguments: SecureHub.HTTPVersion.allCases)
    func overTLSAllAddressesOfTheHubUseHttps(version: SecureHub.HTTPVersion) async throws {
        try await SecureHub.run(version) { hub in
            let start = "https://localhost:\(hub.address.tlsPort ?? 0)/hubsend/"
            let sent = try await hub.send()
            #expect(sent.headers.first(name: "Location")?.hasPrefix(start + "messages/") == true)
            let list = try await hub.client.execute(
                hub.request("GET", "/hubsend/registrations?api-version=2020-06"),
                timeout: SecureHub.patience)
            let text = try await list.text()
            #expect(text.contains("<id>\(start)registrations"))
            #expect(!text.contains("http://localhost"))
        }
    }

    @Test("A client that does not trust the authority disconnects", arguments: ["h2", "http/1.1"])
    func clientThatDoesNotTrustTheAuthorityDisconnects(agreed: String) async throws {
        let other = try LocalAuthority(host: "127.0.0.1", at: Date()).certificate
            .serializeAsPEM().pemString
        try await SecureHub.run { hub in
            for authority in [nil, other] {
                await #expect(throws: NIOSSLError.self) {
                    try await RawTLSConnection.exchange(
                        hub.address, agreed, RawTLSConnection.http2Preface, trusting: authority)
                }
            }
            try await hub.expectSent()
        }
    }

    @Test("A configured certificate is served") func configuredCertificateIsServed() async throws {
        let made = try LocalAuthority(host: "127.0.0.1", at: Date())
        let chain = try made.localhostCertificate.serializeAsPEM().pemString
        let identity = LocalHubTLS.Identity.certificate(
            chain: Array(chain.utf8), key: Array(made.serverKey.pemRepresentation.utf8))
        try await SecureHub.run(.http2, { $0.tls = LocalHubTLS(identity: identity) }) { hub in
            #expect(hub.address.authorityPEM == nil)
            try await SecureHub.withClient(
                .http2, trusting: try made.certificate.serializeAsPEM().pemString
            ) { client in
                let response = try await client.execute(
                    try hub.sendRequest(), timeout: SecureHub.patience)
                #expect(response.status == .created)
            }
        }
    }

    @Test(
        "A TLS port that is in use is reported and stops the HTTP port", arguments: [true, false])
    func tlsPortThatIsInUseIsReportedAndStopsTheHTTPPort(isTLS: Bool) async throws {
        try await SecureHub.run { hub in
            var second = LocalHubConfiguration()
            second.tls = LocalHubTLS()
            let taken = hub.address.port
            if isTLS { second.tls?.port = taken } else { second.port = taken }
            let configuration = second
            await #expect(throws: LocalHubError.portInUse(host: "127.0.0.1", port: taken)) {
                try await withLocalHub(configuration) { _, _ in }
            }
        }
    }

    @Test("TLS clients cause no warnings in the log")
    func tlsClientsCauseNoWarningsInTheLog() async throws {
        let log = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in log }
        logger.logLevel = .trace
        var configuration = LocalHubConfiguration()
        configuration.tls = LocalHubTLS()
        configuration.fault = { $0.ordinal == 1 ? .drop(takesEffect: false) : nil }
        try await withLocalHub(configuration: configuration, logger: logger) { address, server in
            let port = try #require(address.tlsPort)
            _ = try await RawConnection.exchange(port: port, "GET / HTTP/1.1\r\n\r\n")
            for isDropped in [true, false] {
                try await SecureHub.withClient(.http2, trusting: address.authorityPEM) { client in
                    let hub = SecureHub(address: address, server: server, client: client)
                    if isDropped {
                        await #expect(throws: (any Error).self) { try await hub.send() }
                    } else {
                        try await hub.expectSent()
                    }
                }
            }
        }
        #expect(log.entries.contains { $0.level == .info })
        #expect(log.entries.filter { $0.level > .info } == [])
        #expect(log.entries.allSatisfy { !"\($0)".contains("SharedAccess") })
    }

    @Test(
        "An unfinished handshake is aborted",
        arguments: ["", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\r\n\r\n"])
    func unfinishedHandshakeIsAborted(start: String) async throws {
        try await SecureHub.run(.http2, { $0.limits.handshakeTimeout = .milliseconds(50) }) { hub in
            let port = try #require(hub.address.tlsPort)
            let answer = try await RawConnection.exchange(port: port, start)
            #expect(!answer.contains("HTTP/1.1"))
        }
    }

    @Test("An unfinished handshake does not delay the shutdown")
    func unfinishedHandshakeDoesNotDelayTheShutdown() async throws {
        try await withThrowingTaskGroup(of: String.self) { clients in
            let patience = Duration.seconds(300)
            let took = try await ContinuousClock().measure {
                try await SecureHub.run(
                    .http2,
                    {
                        $0.limits.handshakeTimeout = patience
                        $0.limits.shutdownGrace = patience
                    }
                ) { hub in
                    let port = try #require(hub.address.tlsPort)
                    clients.addTask {
                        try await RawConnection.exchange(port: port, "\u{16}\u{3}\u{1}")
                    }
                    try await hub.expectSent()
                }
            }
            #expect(took < patience, "the end waited for a handshake")
            #expect(try await clients.next() == "")
        }
    }

    @Test("An idle TLS connection is closed", arguments: ["h2", "http/1.1"])
    func idleTLSConnectionIsClosed(agreed: String) async throws {
        try await SecureHub.run(
            .http2,
            {
                $0.limits.idleTimeout = .milliseconds(50)
                $0.limits.shutdownGrace = .milliseconds(50)
            }
        ) { hub in
            // The HTTP/2 client is told to disconnect and does not answer; the HTTP/1.1 client is
            // not told.
            await #expect(throws: Never.self) {
                _ = try await RawTLSConnection.exchange(
                    hub.address, agreed, agreed == "h2" ? RawTLSConnection.http2Preface : [],
                    trusting: hub.address.authorityPEM)
            }
        }
    }

    @Test("A silent client delays the shutdown only by the grace period")
    func silentClientDelaysTheShutdownOnlyByTheGracePeriod() async throws {
        try await withThrowingTaskGroup(of: [UInt8].self) { clients in
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            try await SecureHub.run(.http2, { $0.limits.shutdownGrace = .milliseconds(50) }) {
                hub in
                let address = hub.address
                clients.addTask {
                    try await RawTLSConnection.exchange(
                        address, "h2", RawTLSConnection.http2Preface,
                        trusting: address.authorityPEM
                    ) { answered.yield() }
                }
                _ = await answers.first { true }
            }
            #expect(try await clients.next()?.isEmpty == false)
        }
    }

    @Test("An event stream over TLS reports pushes", arguments: SecureHub.HTTPVersion.allCases)
    func eventStreamOverTLSReportsPushes(
        version: SecureHub.HTTPVersion
    ) async throws {
        try await SecureHub.run(version) { hub in
            let request = try hub.request("GET", "/.hubsend/devices/alice/events")
            do {
                let stream = try await hub.client.execute(request, timeout: SecureHub.patience)
                #expect(stream.status == .ok)
                var text = ""
                for try await chunk in stream.body {
                    if text.isEmpty { try await hub.expectSent() }
                    text += String(buffer: chunk)
                    if text.contains("id: 1\n") { break }
                }
                #expect(text.contains("event: push"))
            }
            // The hub notices the end of the stream with a delay.
            _ = await hub.server.streamCounts.first { $0 == 0 }
            try await hub.expectSent()
        }
    }

    @Test(
        "An event stream over TLS ends when the hub stops",
        arguments: SecureHub.HTTPVersion.allCases)
    func eventStreamOverTLSEndsWhenTheHubStops(version: SecureHub.HTTPVersion) async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        var configuration = LocalHubConfiguration()
        configuration.tls = LocalHubTLS()
        let grace = Duration.seconds(300)
        configuration.limits.shutdownGrace = grace
        let hubConfiguration = configuration
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { clients in
            try await withLocalHub(hubConfiguration) { address, server in
                clients.addTask {
                    try await SecureHub.withClient(version, trusting: address.authorityPEM) {
                        let hub = SecureHub(address: address, server: server, client: $0)
                        let stream = try await hub.client.execute(
                            hub.request("GET", "/.hubsend/devices/alice/events"),
                            timeout: SecureHub.patience)
                        // The end of the stream is not an error.
                        for try await _ in stream.body { begin.yield() }
                    }
                }
                _ = await began.first { true }
            }
            #expect(ContinuousClock.now - start < grace, "the end waited for the stream")
            try await clients.waitForAll()
        }
    }
}
