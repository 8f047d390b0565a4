import CampaignCore
import Logging
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct ProxyTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    /// Nothing listens at this address, so only a proxy can answer.
    private func connectionString(scheme: String = "http") throws -> ConnectionString {
        try ConnectionString(
            parsing:
                "Endpoint=\(scheme)://127.0.0.1:9/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
        )
    }

    private func results(
        through hub: ScriptedHub, _ page: PushPage, scheme: String = "http",
        settings: HubClientSettings = .patient
    ) async throws -> [PushResult] {
        var settings = settings
        settings.proxy = HubProxy(host: "127.0.0.1", port: hub.port)
        let client = try NotificationHubClient(
            connectionString: connectionString(scheme: scheme), hubName: HubName("news"),
            settings: settings)
        let batches = Batches()
        await HubPushSender(client: client).send(page) { batches.take($0) }
        try await client.shutdown()
        return batches.results
    }

    @Test("Bulk pushes go through the configured proxy")
    func bulkPushesGoThroughTheConfiguredProxy() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let results = try await results(through: hub, .example(2))

            #expect(results.map(\.disposition) == [.accepted, .accepted])
            #expect(hub.record.requests.map { $0["Host"] } == ["127.0.0.1:9", "127.0.0.1:9"])
            #expect(!hub.record.tunnels.isEmpty)
            for request in hub.record.tunnels {
                #expect(request.hasPrefix("CONNECT 127.0.0.1:9 HTTP/1.1\r\n"))
                #expect(request.contains("Host: 127.0.0.1:9\r\n"))
                #expect(!Secret.isIn(request) && !request.contains("Authorization"))
            }
        }
    }

    @Test("The proxy cannot read what passes through it")
    func proxyCannotReadWhatPassesThroughIt() async throws {
        let identity = TLSIdentity.loopback
        try await ScriptedHub.with(tls: identity, script: { _, _ in .accepted }) { hub in
            var settings = HubClientSettings.patient
            settings.additionalTrustRoots = [identity.certificate]
            let results = try await results(
                through: hub, .example(2), scheme: "sb", settings: settings)

            #expect(results.map(\.disposition) == [.accepted, .accepted])
            #expect(hub.record.tunnels.allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:9 ") })
            #expect(hub.record.tunnels.allSatisfy { $0.hasSuffix("\r\n\r\n") })
        }
    }

    @Test("Single requests also go through the proxy")
    func singleRequestsAlsoGoThroughTheProxy() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            var settings = HubClientSettings.patient
            settings.proxy = HubProxy(host: "127.0.0.1", port: hub.port)
            let client = try NotificationHubClient(
                connectionString: connectionString(), hubName: HubName("news"),
                settings: settings)
            let receipt = try await client.sendExample()
            try await client.shutdown()

            #expect(receipt.messageID == "id-1")
            #expect(hub.record.tunnels.count == 1)
        }
    }

    @Test(
        "Every push reports the proxy that refused it",
        arguments: [
            (
                "HTTP/1.1 407 Who are you\r\nContent-Length: 2\r\n\r\nno",
                "requires a user name and a password"
            ),
            ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "refused to connect to the hub"),
        ])
    func everyPushReportsTheProxyThatRefusedIt(answer: String, complaint: String) async throws {
        try await ScriptedHub.with(tunnelAnswer: answer, script: { _, _ in .accepted }) { hub in
            let results = try await results(through: hub, .example(50))

            #expect(results.map(\.number) == Array(0..<50))
            #expect(Set(results.map(\.disposition)) == [Self.unreachable])
            #expect(Set(results.map(\.detail)) == ["the proxy 127.0.0.1:\(hub.port) \(complaint)"])
            #expect(results.allSatisfy { $0.requests == 0 })
            #expect(hub.record.requests.isEmpty)
            #expect(hub.record.tunnels.count == 1)
        }
    }

    @Test("A silent proxy counts as unreachable", arguments: ["", "SSH-2.0-OpenSSH_9.2\r\n"])
    func silentProxyCountsAsUnreachable(answer: String) async throws {
        try await ScriptedHub.with(tunnelAnswer: answer, script: { _, _ in .accepted }) { hub in
            var settings = HubClientSettings.patient
            settings.connectTimeout = .milliseconds(200)
            let results = try await results(through: hub, .example(3), settings: settings)

            #expect(Set(results.map(\.disposition)) == [Self.unreachable])
            #expect(
                Set(results.map(\.detail)) == [
                    "the connection timed out (through the proxy 127.0.0.1:\(hub.port))"
                ])
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test("The error about an unreachable proxy names it")
    func errorAboutAnUnreachableProxyNamesIt() async throws {
        var settings = HubClientSettings.patient
        settings.proxy = HubProxy(host: "127.0.0.1", port: 1)
        let client = try NotificationHubClient(
            connectionString: ConnectionString(parsing: ScriptedHub.refusing),
            hubName: HubName("news"), settings: settings)
        let batches = Batches()
        await HubPushSender(client: client).send(try .example(1)) { batches.take($0) }
        try await client.shutdown()
        #expect(
            batches.results.map(\.detail) == ["connection refused (through the proxy 127.0.0.1:1)"])
    }

    @Test(
        "An invalid proxy address is a configuration error",
        arguments: [
            HubProxy(host: "", port: 80), HubProxy(host: "a b", port: 80),
            HubProxy(host: "http://proxy", port: 80), HubProxy(host: "[::1]", port: 80),
            HubProxy(host: "user@proxy", port: 80), HubProxy(host: "proxy", port: 0),
            HubProxy(host: "proxy", port: 65_536),
        ])
    func invalidProxyAddressIsAConfigurationError(proxy: HubProxy) throws {
        #expect(throws: HubConfigurationError.invalidProxy) {
            try HubClientSettings(proxy: proxy).check()
        }
    }
}
