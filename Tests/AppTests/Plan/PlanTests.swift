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
        let saved = try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace)
        #expect(saved.status == 0, "\(saved.complaints)")
        let run = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan", "--json"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        let plan = try #require(try await runs(in: workspace).first?["plan"] as? String)
        #expect(plan.count == 12)
        #expect(run.output.contains(#""plan":"\#(plan)""#))
        // A repetition finds it sent, as without a plan.
        let again = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan"], in: workspace)
        #expect(again.status == 0, "\(again.complaints)")
        #expect(again.complaints.isEmpty, "\(again.complaints)")
        // Other bytes are another plan: it was not sent, and cron's mail says so.
        try workspace.write(try workspace.text("notice.plan") + "\n", to: "new.plan")
        let other = try await Binary.run(
            ["run", "notice.yaml", "--plan", "new.plan"], in: workspace)
        #expect(other.status == 0, "\(other.complaints)")
        #expect(
            other.complaints.contains(
                " was not sent, since that run was begun by the plan \(plan). "),
            "\(other.complaints)")
        #expect(other.complaints.contains("One more sending takes a plan that was saved for it."))
        #expect(try await runs(in: workspace).count == 1)
    }

    @Test func whatIsOtherwiseThanPlannedIsNotSent() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let saved = try await Binary.run(
            [
                "preview", "notice.yaml", "--save", "notice.plan", "--max-age", "2h",
                "--occurrence", "may",
            ], in: workspace)
        #expect(saved.status == 0, "\(saved.complaints)")
        try workspace.write(
            Campaigns.secure(to: ["alice", "bob", "carol"]).replacing("news", with: "more news"),
            to: "notice.yaml")
        let run = try await Binary.run(
            ["run", "notice.yaml", "--plan", "notice.plan"], in: workspace)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(
            run.complaints.contains("for the occurrence may, and not for its one sending"),
            "\(run.complaints)")
        #expect(run.complaints.contains("`payload.text` was changed"), "\(run.complaints)")
        #expect(run.complaints.contains("+ There is more news."))
        #expect(run.complaints.contains("audience: 1 person more (3 instead of 2)"))
        #expect(!FileManager.default.fileExists(atPath: workspace.file(".hubsend/store.sqlite")))
    }

    @Test func aPlanThatCannotBeUsedIsAFaultOfTheCall() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "torn.plan": "{ \"format\": 1, ",
        ])
        let run = try await Binary.run(
            ["run", "notice.yaml", "--plan", "torn.plan"], in: workspace)
        #expect(run.status == 2)
        #expect(
            run.complaints.contains("The plan torn.plan is damaged: line "), "\(run.complaints)")
    }

    @Test func aPlanIsNotSavedWhereTheHubIsNotKnown() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "store: store.sqlite\n",
        ])
        let saved = try await Binary.run(
            ["preview", "notice.yaml", "--save", "notice.plan"], in: workspace)
        #expect(saved.status == 2)
        #expect(saved.output.isEmpty)
        #expect(saved.complaints.contains("A plan says for which hub it is"), "\(saved.complaints)")
        #expect(!FileManager.default.fileExists(atPath: workspace.file("notice.plan")))
    }

    @Test func howManyHaveADeviceIsAskedOfTheHub() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "bob", "carol"], platforms: "apns, fcm")
        ])
        let text = try await Binary.run(["preview", "--reach", "notice.yaml"], in: workspace)
        #expect(text.status == 0, "\(text.complaints)")
        #expect(text.output.contains("1 on apns, 1 on fcm; as the hub knows"), "\(text.output)")
        #expect(text.output.contains("1 name has no device on any platform"), "\(text.output)")
        let json = try await Binary.run(
            ["preview", "notice.yaml", "--reach", "all", "--format", "json"], in: workspace)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let reach = try #require(object["reach"] as? [String: Any])
        #expect(reach["asked"] as? Int == 3)
        #expect((reach["without"] as? [String: Int])?["people"] == 1)
    }
}
