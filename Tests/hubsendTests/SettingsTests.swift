import Foundation
import LocalHub
import TestSupport
import Testing

/// Where settings come from: a flag beats a variable beats the config file beats the default.
@Suite(.bounded) struct SettingsTests {
    @Test(
        arguments: [
            ([], [:], "config.sqlite"),
            ([], ["HUBSEND_STORE": "variable.sqlite"], "variable.sqlite"),
            (["--store", "flag.sqlite"], ["HUBSEND_STORE": "variable.sqlite"], "flag.sqlite"),
        ] as [([String], [String: String], String)])
    func theNearestSettingOfTheStoreCounts(
        flags: [String], environment: [String: String], used: String
    ) async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(),
            "hubsend.yaml": "hub: { local: devices.yaml }\nstore: config.sqlite\n",
        ])
        let result = try await Binary.run(
            ["run", "notice.yaml"] + flags, in: workspace, environment: environment)
        #expect(result.status == 0, "\(result.complaints)")
        let stores = try workspace.listing().filter { $0.hasSuffix(".sqlite") }
        #expect(stores == [used])
    }

    @Test func reportsGoWhereTheVariableSays() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: ["HUBSEND_REPORTS": "elsewhere"])
        #expect(result.status == 0, "\(result.complaints)")
        #expect(try workspace.listing().contains { $0.hasPrefix("elsewhere/") })
    }

    @Test func theConfigBesideTheCampaignBeatsTheOneAboveIt() async throws {
        let workspace = try Workspace([
            "hubsend.yaml": "store: wrong.sqlite\n",
            "sub/hubsend.yaml": "hub: { local: devices.yaml }\nstore: right.sqlite\n",
            "sub/devices.yaml": "devices: [{ user: alice, platform: apns }]\n",
            "sub/notice.yaml": Campaigns.secure(),
        ])
        let result = try await Binary.run(["run", "sub/notice.yaml"], in: workspace)
        #expect(result.status == 0, "\(result.complaints)")
        #expect(try workspace.listing().filter { $0.hasSuffix(".sqlite") } == ["sub/right.sqlite"])
    }

    @Test func aVariableNamesTheConfig() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "store: wrong.sqlite\n",
            "other.yaml": "hub: { local: devices.yaml }\nstore: right.sqlite\n",
        ])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: ["HUBSEND_CONFIG": "other.yaml"])
        #expect(result.status == 0, "\(result.complaints)")
        #expect(try workspace.listing().filter { $0.hasSuffix(".sqlite") } == ["right.sqlite"])
    }

    @Test func aFoundConfigRunsNoCommandAndANamedOneDoes() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let string = try #require(environment["HUBSEND_HUB_CONNECTION_STRING"])
            let name = try #require(environment["HUBSEND_HUB_NAME"])
            try workspace.write(
                """
                hub:
                  name: \(name)
                  connection_string_command: "touch ran; echo '\(string)'"

                """, to: "hubsend.yaml")
            let found = try await Binary.run(["run", "notice.yaml"], in: workspace)
            #expect(found.status == 2)
            #expect(found.complaints.contains("hubsend.yaml:3:3: error:"))
            #expect(try !workspace.listing().contains("ran"))
            let named = try await Binary.run(
                ["run", "--config", "hubsend.yaml", "notice.yaml"], in: workspace)
            #expect(named.status == 0, "\(named.complaints)")
            #expect(try workspace.listing().contains("ran"))
            #expect(hub.counts.sends == 2)
        }
    }

    @Test func aHubInTheEnvironmentBeatsTheConfigs() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let result = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            #expect(result.status == 0, "\(result.complaints)")
            #expect(hub.counts.sends == 2)
        }
    }

    @Test func aSecretThatOthersCanReadIsRefused() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(), "key": "x"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: workspace.file("key"))
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING_FILE": "key", "HUBSEND_HUB_NAME": "hub",
            ])
        #expect(result.status == 2)
        #expect(result.complaints.contains("chmod 600"))
    }

    @Test(arguments: ["proxy", "https://proxy.example:3128", "http://ann:pa55@proxy:3128", "a:0b"])
    func aProxyThatIsNoneIsRefusedWithoutBeingRepeated(proxy: String) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://localhost/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0",
                "HUBSEND_HUB_NAME": "hub", "HUBSEND_HUB_PROXY": proxy,
            ])
        #expect(result.status == 2)
        #expect(result.complaints.contains("http://proxy.example:3128"))
        #expect(!result.complaints.contains("pa55"))
    }

    @Test(arguments: [
        (0o666, "-----BEGIN CERTIFICATE-----", "chmod go-w"), (0o600, "secret", "in PEM"),
        (0o600, "-----BEGIN CERTIFICATE-----\nAAAA\n", "PEM"),
    ])
    func aFileOfAuthoritiesThatIsNoGoodIsRefused(
        mode: Int, text: String, advice: String
    ) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(), "ca.pem": text])
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: workspace.file("ca.pem"))
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://localhost/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0",
                "HUBSEND_HUB_NAME": "hub", "HUBSEND_HUB_CA": "ca.pem",
            ])
        #expect(result.status == 2, "\(result.complaints)")
        #expect(result.complaints.contains(advice))
        #expect(!result.complaints.contains("c2VjcmV0"))
    }
}
