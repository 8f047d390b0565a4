import CampaignCore
import Logging
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct ProxyTests {
    @Test func pagesGoThroughTheProxyOfTheSettings() async throws {
        try await ScriptedHub.with(isBehindProxy: true, script: { _, _ in .accepted }) { hub in
            // Nothing listens at this address: only the proxy can reach it.
            let name =
                "Endpoint=http://127.0.0.1:9/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
            var settings = HubClientSettings.patient
            settings.proxy = HubProxy(host: "127.0.0.1", port: hub.port)
            let client = try NotificationHubClient(
                connectionString: ConnectionString(parsing: name), hubName: HubName("news"),
                settings: settings)
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(2)) { batches.take($0) }
            try await client.shutdown()

            #expect(batches.results.map(\.disposition) == [.accepted, .accepted])
            #expect(hub.record.requests.map { $0["Host"] } == ["127.0.0.1:9", "127.0.0.1:9"])
        }
    }

    @Test func aProxyThatIsNotThereIsNamed() async throws {
        var settings = HubClientSettings.patient
        settings.proxy = HubProxy(host: "127.0.0.1", port: 1)
        let client = try NotificationHubClient(
            connectionString: ConnectionString(parsing: ScriptedHub.refusing),
            hubName: HubName("news"), settings: settings)
        let batches = Batches()
        await HubPushSender(client: client).send(try .example(1)) { batches.take($0) }
        try await client.shutdown()
        #expect(
            batches.results.map(\.detail) == ["connection refused (by the proxy 127.0.0.1:1)"])
    }

    @Test(arguments: [
        HubProxy(host: "", port: 80), HubProxy(host: "a b", port: 80),
        HubProxy(host: "http://proxy", port: 80), HubProxy(host: "[::1]", port: 80),
        HubProxy(host: "user@proxy", port: 80), HubProxy(host: "proxy", port: 0),
        HubProxy(host: "proxy", port: 65_536),
    ])
    func aProxyThatCannotBeReachedIsAConfigurationError(proxy: HubProxy) throws {
        #expect(throws: HubConfigurationError.invalidProxy) {
            try HubClientSettings(proxy: proxy).check()
        }
    }
}
