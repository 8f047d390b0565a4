import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct ProgramSettingsTests {
    @Test("Only a config that was named explicitly can run commands")
    func onlyAConfigThatWasNamedExplicitlyCanRunCommands() async throws {
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
            let found = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 2)
            #expect(found.complaints.contains("hubsend.yaml:3:3: error:"))
            #expect(try !workspace.listing().contains("ran"))
            try await Binary.run(
                ["run", "--config", "hubsend.yaml", "notice.yaml"], in: workspace, status: 0)
            #expect(try workspace.listing().contains("ran"))
            #expect(hub.counts.sends == 2)
        }
    }
}
