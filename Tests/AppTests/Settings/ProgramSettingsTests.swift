import LocalHub
import TestSupport
import Testing

/// Sources of settings, as far as only the whole program shows them.
@Suite(.bounded) struct ProgramSettingsTests {
    @Test func reportsGoWhereTheVariableSays() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: ["HUBSEND_REPORTS": "elsewhere"])
        #expect(result.status == 0, "\(result.complaints)")
        #expect(try workspace.listing().contains { $0.hasPrefix("elsewhere/") })
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

    @Test func aProxyThatIsNoneIsRefusedWithoutBeingRepeated() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://localhost/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0",
                "HUBSEND_HUB_NAME": "hub", "HUBSEND_HUB_PROXY": "http://ann:pa55@proxy:3128",
            ])
        #expect(result.status == 2)
        #expect(result.complaints.contains("http://proxy.example:3128"))
        #expect(!result.complaints.contains("pa55"))
    }

    @Test func aFileOfAuthoritiesThatIsNoCertificateIsRefused() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "ca.pem": "-----BEGIN CERTIFICATE-----\nAAAA\n",
        ])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://localhost/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0",
                "HUBSEND_HUB_NAME": "hub", "HUBSEND_HUB_CA": "ca.pem",
            ])
        #expect(result.status == 2, "\(result.complaints)")
        #expect(result.complaints.contains("PEM"))
        #expect(!result.complaints.contains("c2VjcmV0"))
    }
}
