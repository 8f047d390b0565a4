import Foundation
import TestSupport
import Testing

/// `audience.runs` and `audience.exclude.runs`: people of a campaign's last finished run.
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
        // One campaign without its people hides no other, in either order.
        let preview = ["preview", "reminder.yaml", "news.yaml"]
        for arguments in [preview, ["run", "reminder.yaml"]] {
            let result = try await Binary.run(arguments, in: workspace)
            #expect(result.status == 2, "\(arguments): \(result.complaints)")
            #expect(
                result.complaints.contains(
                    "The audience of campaign reminder names the people of campaign notice's last run"
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

    // MARK: Exclusions

    private static func offer(_ exclude: String) -> String {
        """
        campaign: offer
        kind: secure
        platforms: [apns]
        audience:
          usernames: [alice, bob, carol, dave]
          exclude: \(exclude)
        payload: { text: Everything must go. }

        """
    }

    @Test("Nobody who got the other campaign gets this one, nor by a plan")
    func exclusion() async throws {
        let exclude = "{ runs: [{ campaign: notice }] }"
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "bob"]),
            "offer.yaml": Self.offer(exclude),
        ])
        let notice = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(notice.status == 0, "\(notice.complaints)")
        let validate = try await Binary.run(["validate", "offer.yaml"], in: workspace)
        #expect(validate.status == 0, "\(validate.output)")
        #expect(
            validate.output.contains("offer.yaml:6:33: hint: The people of \"notice\" were not"))
        let preview = try await Binary.run(
            ["preview", "offer.yaml", "--format", "json", "--save", "offer.plan"], in: workspace)
        let shown = try #require(
            JSONSerialization.jsonObject(with: Data(preview.output.utf8)) as? [String: Any])
        let people = try #require(shown["recipients"] as? [String: Any])
        #expect(people["excluded"] as? Int == 2)
        // A plan made before the exclusion changed is not sent.
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notice }], usernames: [dave] }"), to: "offer.yaml")
        let changed = try await Binary.run(
            ["run", "offer.yaml", "--plan", "offer.plan"], in: workspace)
        #expect(changed.status == 1, "\(changed.complaints)")
        try workspace.write(Self.offer(exclude), to: "offer.yaml")
        let run = try await Binary.run(
            ["run", "offer.yaml", "--plan", "offer.plan"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(
            try workspace.reportRows(of: "offer").map { $0.split(separator: ",")[2] }
                == ["carol", "dave"])
    }

    @Test("An exclusion of a campaign that was never sent is an error unless it may be empty")
    func exclusionOfNoRun() async throws {
        let workspace = try Workspace([
            "offer.yaml": Self.offer("{ runs: [{ campaign: notcie }] }")
        ])
        for command in ["preview", "run"] {
            let result = try await Binary.run([command, "offer.yaml"], in: workspace)
            #expect(result.status == 2, "\(result.complaints)")
            #expect(
                result.complaints.contains(
                    "Campaign offer leaves out the people of the last run of campaign notcie"))
            #expect(result.complaints.contains("allow_empty: true"))
        }
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notcie }], allow_empty: true }"), to: "offer.yaml")
        let run = try await Binary.run(["run", "offer.yaml"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(try workspace.reportRows(of: "offer").count == 4)
    }

    @Test("An exclusion of runs in the config's defaults holds for every campaign")
    func exclusionByDefaults() async throws {
        let workspace = try Workspace([
            "hubsend.yaml": """
            hub: { local: devices.yaml }
            defaults:
              audience:
                exclude: { runs: [{ campaign: notice }], allow_empty: true }

            """,
            "notice.yaml": Campaigns.secure(to: ["alice", "bob"]),
            "offer.yaml": Self.offer("{ usernames: [dave] }"),
        ])
        for name in ["notice.yaml", "offer.yaml"] {
            let run = try await Binary.run(["run", name], in: workspace)
            #expect(run.status == 0, "\(run.complaints)")
        }
        #expect(
            try workspace.reportRows(of: "offer").map { $0.split(separator: ",")[2] } == ["carol"])
    }
}
