import TestSupport
import Testing

/// Tests that the path is suggested, and nothing is sent, if a campaign is not given by its path.
@Suite(.bounded) struct NearbyCampaignTests {
    @Test(
        "For a mistyped campaign, the right file is suggested",
        arguments: [
            ("welcome", "welcome.yaml"), ("welcom.yaml", "welcome.yaml"),
            ("Welcome.yml", "welcome.yaml"), ("spring-sale", "campaigns/april.yaml"),
            ("spring-sael.yaml", "campaigns/april.yaml"), ("april", "campaigns/april.yaml"),
            ("campaign/april.yaml", "campaigns/april.yaml"),
        ])
    func forAMistypedCampaignTheRightFileIsSuggested(typed: String, meant: String) async throws {
        let workspace = try Workspace([
            "welcome.yaml": Campaigns.secure("hello"),
            "campaigns/april.yaml": Campaigns.secure("spring-sale"),
        ])
        for command in typed == "welcome" ? ["run", "preview", "validate"] : ["run"] {
            let result = try await Binary.run([command, typed], in: workspace, status: 2)
            #expect(
                result.complaints.contains(
                    "There is no file \"\(typed)\". Did you mean \(meant)?"),
                "\(command): \(result.complaints)")
        }
        #expect(try !workspace.listing().contains { $0.hasSuffix(".sqlite") })
    }

    @Test("A path that resembles no campaign gets the usual error")
    func pathThatResemblesNoCampaignGetsTheUsualError() async throws {
        let workspace = try Workspace(["welcome.yaml": Campaigns.secure("hello")])
        let result = try await Binary.run(["run", "zebra.yaml"], in: workspace)
        #expect(result.complaints.contains("check the path"), "\(result.complaints)")
    }
}
