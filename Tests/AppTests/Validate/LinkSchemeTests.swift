import TestSupport
import Testing

/// All commands that read a campaign apply the same rules to links and variables.
@Suite(.bounded) struct LinkSchemeTests {
    private let campaign = """
        campaign: sale
        kind: rich
        platforms: [apns]
        audience: { usernames: [alice, bob] }
        payload:
          message: "Hi %first_name%!"
          type: url
          url: myapp://offers/7

        """

    @Test(arguments: ["validate", "preview", "run"])
    func aSchemeIsAllowedWhereTheConfigNamesIt(command: String) async throws {
        let workspace = try Workspace(["sale.yaml": campaign])
        let refused = try await Binary.run([command, "sale.yaml"], in: workspace)
        let said = refused.output + refused.complaints
        #expect(refused.status == 1, "\(said)")
        #expect(said.contains("sale.yaml:8:8: error:"), "\(said)")
        #expect(said.contains("limits: { url_schemes: [myapp] }"), "\(said)")
        try workspace.write(
            "hub: { local: devices.yaml }\nlimits: { url_schemes: [myapp] }\n", to: "hubsend.yaml")
        let allowed = try await Binary.run([command, "sale.yaml"], in: workspace)
        #expect(allowed.status == 0, "\(allowed.output)\(allowed.complaints)")
    }

    @Test func anotherToolsPlaceholderIsAWarningAtItsPlace() async throws {
        let workspace = try Workspace([
            "sale.yaml": campaign.replacing("myapp:", with: "https:")
        ])
        let result = try await Binary.run(["validate", "sale.yaml"], in: workspace)
        #expect(result.status == 0, "\(result.output)\(result.complaints)")
        #expect(
            result.output.contains(
                "sale.yaml:6:16: warning: \"%first_name%\" is not a variable here and is sent as it stands. [look-alike-variable]"
            ), "\(result.output)")
    }
}
