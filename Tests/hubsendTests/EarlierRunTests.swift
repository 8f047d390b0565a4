import Foundation
import TestSupport
import Testing

/// `audience.runs`: the people of a campaign's last finished run at the same hub.
@Suite(.bounded) struct EarlierRunTests {
    private static let reminder = """
        campaign: reminder
        kind: secure
        platforms: [apns]
        audience:
          runs: [{ campaign: notice, outcomes: [accepted], fetched: false }]
          exclude: { usernames: [bob] }
        payload: { text: Have you seen it? }

        """

    @Test func theyAreSentToAndPreviewCountsThemWithoutWriting() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "bob", "carol"]),
            "reminder.yaml": Self.reminder,
        ])
        let notice = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(notice.status == 0, "\(notice.complaints)")
        let path = workspace.file(".hubsend/store.sqlite")
        let store = try Data(contentsOf: URL(fileURLWithPath: path))
        let preview = try await Binary.run(
            ["preview", "reminder.yaml", "--format", "json"], in: workspace)
        #expect(preview.status == 0, "\(preview.complaints)")
        let shown = try #require(
            JSONSerialization.jsonObject(with: Data(preview.output.utf8)) as? [String: Any])
        let people = try #require(shown["recipients"] as? [String: Any])
        #expect(people["named"] as? Int == 3)
        #expect(people["excluded"] as? Int == 1)
        #expect(people["final"] as? Int == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == store)
        let run = try await Binary.run(["run", "reminder.yaml", "--json"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains(#""recipients":2"#), "\(run.output)")
        let rows = try workspace.reportRows(of: "reminder")
        #expect(rows.map { $0.split(separator: ",")[2] } == ["alice", "carol"])
    }

    @Test func withoutAFinishedRunThereIsASentenceAndNoStore() async throws {
        let workspace = try Workspace([
            "reminder.yaml": Self.reminder, "news.yaml": Campaigns.secure("news"),
        ])
        // One campaign without its people hides no other, whichever comes first.
        let preview = ["preview", "reminder.yaml", "news.yaml"]
        for arguments in [preview, ["run", "reminder.yaml"]] {
            let result = try await Binary.run(arguments, in: workspace)
            #expect(result.status == 2, "\(arguments): \(result.complaints)")
            #expect(
                result.complaints.contains(
                    "The audience of campaign reminder has people of the last run of campaign notice"
                ),
                "\(arguments): \(result.complaints)")
            #expect(result.output.hasPrefix("Campaign news") == (arguments == preview))
        }
        let validate = try await Binary.run(["validate", "reminder.yaml"], in: workspace)
        #expect(validate.status == 0, "\(validate.complaints)")
        #expect(
            validate.output.contains("reminder.yaml:5:22: hint: The people of \"notice\" were not"),
            "\(validate.output)")
        #expect(!FileManager.default.fileExists(atPath: workspace.file(".hubsend")))
    }
}
