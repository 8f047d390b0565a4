import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct PlanTests {
    private func runs(in workspace: Workspace) async throws -> [[String: Any]] {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        let runs = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        return try #require(runs as? [[String: Any]])
    }

    @Test("A planned campaign is sent, and the run names its plan")
    func plannedCampaignIsSentAndTheRunNamesItsPlan() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace, status: 0)
        let run = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan", "--json"], in: workspace, status: 0)
        let plan = try #require(try await runs(in: workspace).first?["plan"] as? String)
        #expect(plan.count == 12)
        #expect(run.output.contains(#""plan":"\#(plan)""#))
        // A second call finds that the campaign has been sent, just as it does without a plan.
        let again = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan"], in: workspace, status: 0)
        #expect(again.complaints.isEmpty, "\(again.complaints)")
        // A plan with different bytes is a different plan. A warning says that this plan was not
        // sent.
        try workspace.write(try workspace.text("notice.plan") + "\n", to: "new.plan")
        let other = try await Binary.run(
            ["run", "notice.yaml", "--plan", "new.plan"], in: workspace, status: 0)
        #expect(
            other.complaints.contains(
                " was not sent, because that run was started with plan \(plan). "),
            "\(other.complaints)")
        #expect(other.complaints.contains("To send it again, save a new plan with --again."))
        #expect(try await runs(in: workspace).count == 1)
    }

    @Test("A plan is not saved if the hub is unknown")
    func planIsNotSavedIfTheHubIsUnknown() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "store: store.sqlite\n",
        ])
        let saved = try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace, status: 2)
        #expect(saved.output.isEmpty)
        #expect(saved.complaints.contains("A plan is for one hub"), "\(saved.complaints)")
        #expect(!FileManager.default.fileExists(atPath: workspace.file("notice.plan")))
    }
}
