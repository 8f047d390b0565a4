import Foundation
import TestSupport
import Testing

/// Tests `audience.runs` and `audience.exclude.runs`, which refer to the people of a campaign's
/// last finished run.
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

    @Test("A preview counts the people of an earlier run, and they get the push")
    func previewCountsThePeopleOfAnEarlierRunAndTheyGetThePush() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "bob", "carol"]),
            "reminder.yaml": Self.reminder,
        ])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        let path = workspace.file(".hubsend/store.sqlite")
        let store = try Data(contentsOf: URL(fileURLWithPath: path))
        let preview = try await Binary.run(
            ["preview", "reminder.yaml", "--format", "json"], in: workspace, status: 0)
        let shown = try preview.output.object()
        let people = try #require(shown["recipients"] as? [String: Any])
        #expect(people["named"] as? Int == 3)
        #expect(people["excluded"] as? Int == 1)
        #expect(people["final"] as? Int == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == store)
        let run = try await Binary.run(
            ["run", "reminder.yaml", "--json"], in: workspace, status: 0)
        #expect(run.output.contains(#""recipients":2"#), "\(run.output)")
        let rows = try workspace.reportRows(of: "reminder")
        #expect(rows.map { $0.split(separator: ",")[2] } == ["alice", "carol"])
    }

    @Test("If there is no finished run, an error is reported and no store is created")
    func ifThereIsNoFinishedRunAnErrorIsReportedAndNoStoreIsCreated() async throws {
        let workspace = try Workspace([
            "reminder.yaml": Self.reminder, "news.yaml": Campaigns.secure("news"),
        ])
        // A campaign whose people are unknown does not hide the other campaign, in either order.
        let preview = ["preview", "reminder.yaml", "news.yaml"]
        for arguments in [preview, ["run", "reminder.yaml"]] {
            let result = try await Binary.run(arguments, in: workspace, status: 2)
            #expect(
                result.complaints.contains(
                    "The audience of campaign reminder includes the people of campaign notice's last run"
                ),
                "\(arguments): \(result.complaints)")
            #expect(result.output.hasPrefix("Campaign news") == (arguments == preview))
        }
        let validate = try await Binary.run(
            ["validate", "reminder.yaml"], in: workspace, status: 0)
        #expect(
            validate.output.contains(
                "reminder.yaml:5:22: hint: The people of earlier runs of \"notice\" were not"),
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

    @Test("Nobody who got the excluded campaign gets this campaign")
    func nobodyWhoGotTheExcludedCampaignGetsThisCampaign() async throws {
        let exclude = "{ runs: [{ campaign: notice }] }"
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "bob"]),
            "offer.yaml": Self.offer(exclude),
        ])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        let validate = try await Binary.run(["validate", "offer.yaml"], in: workspace, status: 0)
        #expect(
            validate.output.contains(
                "offer.yaml:6:33: hint: The people of earlier runs of \"notice\" were not"))
        let preview = try await Binary.run(
            ["preview", "offer.yaml", "--format", "json", "--save", "offer.plan"], in: workspace)
        let shown = try preview.output.object()
        let people = try #require(shown["recipients"] as? [String: Any])
        #expect(people["excluded"] as? Int == 2)
        // A plan made before the exclusion changed is not sent.
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notice }], usernames: [dave] }"), to: "offer.yaml")
        try await Binary.run(
            ["run", "offer.yaml", "--plan", "offer.plan"], in: workspace, status: 1)
        try workspace.write(Self.offer(exclude), to: "offer.yaml")
        try await Binary.run(
            ["run", "offer.yaml", "--plan", "offer.plan"], in: workspace, status: 0)
        #expect(
            try workspace.reportRows(of: "offer").map { $0.split(separator: ",")[2] }
                == ["carol", "dave"])
    }

    @Test("Excluding a campaign that was never sent fails unless it is optional")
    func excludingACampaignThatWasNeverSentFailsUnlessItIsOptional() async throws {
        let workspace = try Workspace([
            "offer.yaml": Self.offer("{ runs: [{ campaign: notcie }] }"),
            "notice.yaml": Campaigns.secure(to: ["alice", "bob"]),
        ])
        for command in ["preview", "run"] {
            let result = try await Binary.run([command, "offer.yaml"], in: workspace, status: 2)
            for words in [
                "Campaign offer excludes the people of the last run of campaign notcie",
                "Did you mean notice?", "`runs: [{ campaign: notcie, optional: true }]`",
            ] {
                #expect(result.complaints.contains(words), "\(result.complaints)")
            }
        }
        // `allow_empty` for files does not make a run optional.
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notcie }], files: [gone.txt], allow_empty: true }"),
            to: "offer.yaml")
        try await Binary.run(["run", "offer.yaml"], in: workspace, status: 2)
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notcie, optional: true }], files: [gone.txt] }"),
            to: "offer.yaml")
        // An optional run does not make a file optional.
        try await Binary.run(["run", "offer.yaml"], in: workspace, status: 1)
        try workspace.write(
            Self.offer("{ runs: [{ campaign: notcie, optional: true }] }"), to: "offer.yaml")
        let remark =
            "campaign notcie has no finished run, so it excludes nobody. Did you mean notice?"
        let preview = try await Binary.run(["preview", "offer.yaml"], in: workspace)
        #expect(preview.output.replacing(/\s+/, with: " ").contains(remark), "\(preview.output)")
        let json = try await Binary.run(
            ["preview", "offer.yaml", "--format", "json"], in: workspace)
        #expect(json.output.contains(#""unknown_run""#), "\(json.output)")
        // This is printed even if cron runs the command, whereas warnings about files are not.
        let run = try await Binary.run(["run", "offer.yaml"], in: workspace, status: 0)
        #expect(run.complaints == "hubsend: warning: campaign offer: \(remark)\n")
        #expect(try workspace.reportRows(of: "offer").count == 4)
    }

    @Test("For a misspelled campaign under audience.runs, the right one is suggested")
    func forAMisspelledCampaignUnderAudienceRunsTheRightOneIs() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["alice", "bob"])])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        try FileManager.default.removeItem(atPath: workspace.file("notice.yaml"))
        try workspace.write(
            Self.reminder.replacing("campaign: notice", with: "campaign: notices"),
            to: "reminder.yaml")
        let result = try await Binary.run(["preview", "reminder.yaml"], in: workspace, status: 2)
        #expect(result.complaints.contains("Did you mean notice?"), "\(result.complaints)")
    }

    @Test("An exclusion that matches nobody produces a remark")
    func exclusionThatMatchesNobodyProducesARemark() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["zoe", "yan"]),
            "offer.yaml": Self.offer("{ usernames: [carla], runs: [{ campaign: notice }] }"),
        ])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        let preview = try await Binary.run(["preview", "offer.yaml"], in: workspace)
        let shown = preview.output.replacing(/\s+/, with: " ")
        for words in [
            #""exclude.usernames" lists 1 person, who is not in the audience"#,
            #""notice" under "exclude.runs" lists 2 people, none of them in the audience"#,
        ] {
            #expect(shown.contains(words), "\(preview.output)")
        }
        // The config's exclusions need not match every audience.
        try workspace.write(
            "defaults: { audience: { exclude: { usernames: [carla] } } }\n", to: "hubsend.yaml")
        try workspace.write(Self.offer("{ usernames: [dave] }"), to: "offer.yaml")
        let strict = try await Binary.run(
            ["validate", "--strict", "offer.yaml"], in: workspace, status: 0)
        #expect(strict.output.contains("hint: \"exclude.usernames\" lists 1 person, who is not"))
        try workspace.write(Self.offer("{ usernames: [carla] }"), to: "offer.yaml")
        let own = try await Binary.run(
            ["validate", "--strict", "offer.yaml"], in: workspace, status: 1)
        #expect(own.output.contains("offer.yaml:6:14: warning: \"exclude.usernames\" lists 1"))
    }

    @Test("An exclusion of runs in the defaults applies to every campaign")
    func exclusionOfRunsInTheDefaultsAppliesToEveryCampaign() async throws {
        let workspace = try Workspace([
            "hubsend.yaml": """
            hub: { local: devices.yaml }
            defaults:
              audience:
                exclude: { runs: [{ campaign: notice, optional: true }] }

            """,
            "notice.yaml": Campaigns.secure(to: ["alice", "bob"]),
            "offer.yaml": Self.offer("{ usernames: [dave] }"),
        ])
        for name in ["notice.yaml", "offer.yaml"] {
            try await Binary.run(["run", name], in: workspace, status: 0)
        }
        #expect(
            try workspace.reportRows(of: "offer").map { $0.split(separator: ",")[2] } == ["carol"])
    }
}
