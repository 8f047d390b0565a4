import Foundation
import GRDB
import LocalHub
import StoreConformance
import TestSupport
import Testing

@Suite(.bounded) struct PreviewOutlookTests {
    private static let config = "hub: { local: devices.yaml }\n"
    private static let devices = "devices: [{ user: alice, platform: apns }]\n"
    private static let cap = ["rate: unlimited", "frequency_cap: { pushes: 1, per: 1h }"]

    private static func now(
        of campaign: String, in workspace: Workspace, environment: [String: String] = [:],
        _ options: String...
    ) async throws -> [String: Any] {
        let result = try await Binary.run(
            ["run", "--dry-run", "--json"] + options + [campaign], in: workspace,
            environment: environment, status: 0)
        let object = try result.output.object()
        return try #require(object["now"] as? [String: Any])
    }

    @Test("A finished campaign would not be sent to anybody again")
    func finishedCampaignWouldNotBeSentToAnybodyAgain() async throws {
        let workspace = try await SentFiles.notice()
        let store = try Data(
            contentsOf: URL(fileURLWithPath: workspace.file(".hubsend/store.sqlite")))

        let preview = try await Binary.run(["preview", "notice.yaml"], in: workspace, status: 0)
        #expect(
            preview.output.hasPrefix("Campaign notice (secure) has been sent: run "),
            "\(preview.output)")
        #expect(preview.output.contains("is finished. With --again it would go to everybody"))

        let now = try await Self.now(of: "notice.yaml", in: workspace)
        #expect(now["action"] as? String == "nothing")
        #expect(now["state"] as? String == "finished")
        #expect(now["deliveries"] as? Int == 0)
        let again = try await Self.now(of: "notice.yaml", in: workspace, "--again")
        #expect(again["action"] as? String == "begin")
        #expect(again["deliveries"] as? Int == 2)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: workspace.file(".hubsend/store.sqlite")))
                == store)
    }

    @Test("A preview does not upgrade an older store")
    func previewDoesNotUpgradeAnOlderStore() async throws {
        let workspace = try await SentFiles.notice()
        let path = workspace.file(".hubsend/store.sqlite")
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    UPDATE runs SET seal = NULL;
                    UPDATE run_platforms SET seal = NULL;
                    \(EarlierSchema.withoutLastStep)
                    ALTER TABLE notifications DROP COLUMN texts;
                    ALTER TABLE notifications DROP COLUMN language;
                    DROP INDEX recipients_by_name;
                    ALTER TABLE recipients DROP COLUMN notification;
                    ALTER TABLE runs DROP COLUMN push_options;
                    ALTER TABLE runs DROP COLUMN plan;
                    ALTER TABLE runs DROP COLUMN pause;
                    DROP INDEX runs_unfinished;
                    ALTER TABLE runs DROP COLUMN resumes;
                    ALTER TABLE runs DROP COLUMN waves_digest;
                    ALTER TABLE runs DROP COLUMN fallback_requests;
                    ALTER TABLE run_platforms DROP COLUMN waves_digest;
                    DROP TABLE schedules;
                    DROP TABLE wave_claims;
                    DROP TABLE run_waves;
                    DROP TABLE telemetry;
                    DROP TABLE troubles;
                    DROP TABLE run_sums;
                    DROP INDEX runs_with_deliveries;
                    DROP INDEX runs_with_payloads;
                    ALTER TABLE runs DROP COLUMN deliveries_deleted;
                    ALTER TABLE runs DROP COLUMN started_by;
                    DELETE FROM grdb_migrations
                    WHERE identifier IN ('languages', 'plans of runs', 'schedules', 'waves', 'telemetry',
                        'fallbacks', 'troubles told', 'sums of runs',
                        'who started runs', 'recipients by name')
                    """)
        }
        try queue.close()
        let store = try Data(contentsOf: URL(fileURLWithPath: path))
        let preview = try await Binary.run(["preview", "notice.yaml"], in: workspace, status: 0)
        #expect(preview.output.contains("older version of hubsend"), "\(preview.output)")
        let rest = try await Binary.run(
            ["run", "--dry-run", "--again", "--only", "failed", "notice.yaml"], in: workspace,
            status: 2)
        #expect(rest.complaints.contains("older version of hubsend"), "\(rest.complaints)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == store)
        try await Binary.run(["runs"], in: workspace, status: 0)
    }

    @Test("A preview counts the pushes that the frequency cap would skip")
    func previewCountsThePushesThatTheFrequencyCapWouldSkip() async throws {
        let workspace = try Workspace([
            "one.yaml": Campaigns.secure("one", to: ["alice", "bob"], delivery: Self.cap),
            "two.yaml": Campaigns.secure(
                "two", to: ["alice", "carol", "dan"], delivery: Self.cap),
            "hubsend.yaml": Self.config, "devices.yaml": Self.devices,
        ])
        #expect(try await Self.now(of: "two.yaml", in: workspace)["capped"] is NSNull)
        try await Binary.run(["run", "one.yaml"], in: workspace, status: 0)

        let preview = try await Binary.run(["preview", "two.yaml"], in: workspace)
        #expect(
            preview.output.contains("  capped      frequency_cap would skip 1 push now"),
            "\(preview.output)")
        let now = try await Self.now(of: "two.yaml", in: workspace)
        #expect(now["action"] as? String == "begin")
        #expect(now["deliveries"] as? Int == 3)
        #expect(now["capped"] as? Int == 1)
    }

    @Test("An unfinished run would be continued unless it has been stopped")
    func unfinishedRunWouldBeContinuedUnlessItHasBeenStopped() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "reports: .hubsend/reports\n",
        ])
        let closed: @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in
            .answer(status: 401)
        }
        try await HubFixture.run(fault: closed) { environment, _ in
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 4)
            let paused = try await Self.now(
                of: "notice.yaml", in: workspace, environment: environment)
            #expect(paused["action"] as? String == "continue")
            #expect(paused["state"] as? String == "paused")
            #expect(paused["deliveries"] as? Int == 2)

            // No run has ended yet, so `--again` continues this run.
            let again = try await Self.now(
                of: "notice.yaml", in: workspace, environment: environment, "--again")
            #expect(again["action"] as? String == "continue")
            #expect(again["deliveries"] as? Int == 2)

            // Without the connection string, the hub is unknown.
            let elsewhere = try await Binary.run(["preview", "notice.yaml"], in: workspace)
            #expect(elsewhere.output.contains("unless it was sent before"), "\(elsewhere.output)")

            try await Binary.run(["stop", "notice"], in: workspace, status: 0)
            let stopped = try await Self.now(
                of: "notice.yaml", in: workspace, environment: environment)
            #expect(stopped["action"] as? String == "refuse")
        }
    }
}
