import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct PlanTests {
    private func runs(in workspace: Workspace) async throws -> [[String: Any]] {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        let runs = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        return try #require(runs as? [[String: Any]])
    }

    @Test func whatWasPlannedIsSentAndTheRunNamesItsPlan() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace, status: 0)
        let run = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan", "--json"], in: workspace, status: 0)
        let plan = try #require(try await runs(in: workspace).first?["plan"] as? String)
        #expect(plan.count == 12)
        #expect(run.output.contains(#""plan":"\#(plan)""#))
        // A repetition finds it sent, as without a plan.
        let again = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan"], in: workspace, status: 0)
        #expect(again.complaints.isEmpty, "\(again.complaints)")
        // Other bytes are another plan: it was not sent, and cron's mail says so.
        try workspace.write(try workspace.text("notice.plan") + "\n", to: "new.plan")
        let other = try await Binary.run(
            ["run", "notice.yaml", "--plan", "new.plan"], in: workspace, status: 0)
        #expect(
            other.complaints.contains(
                " was not sent, since that run was begun by the plan \(plan). "),
            "\(other.complaints)")
        #expect(other.complaints.contains("One more sending takes a plan that was saved for it."))
        #expect(try await runs(in: workspace).count == 1)
    }

    @Test func aPlanIsNotSavedWhereTheHubIsNotKnown() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "store: store.sqlite\n",
        ])
        let saved = try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace, status: 2)
        #expect(saved.output.isEmpty)
        #expect(saved.complaints.contains("A plan says for which hub it is"), "\(saved.complaints)")
        #expect(!FileManager.default.fileExists(atPath: workspace.file("notice.plan")))
    }
}
