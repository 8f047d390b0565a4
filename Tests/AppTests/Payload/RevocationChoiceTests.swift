import Foundation
import LocalHub
import Synchronization
import TestSupport
import Testing

/// Tests which run `stop --revoke` chooses, and what it says about pushes that cannot be taken
/// back.
@Suite(.bounded) struct RevocationChoiceTests {
    private static let alert = """
        campaign: warning
        kind: alert
        platforms: [apns]
        audience: { usernames: [alice, bob] }
        payload: { message: Hello }
        """

    private struct Listed: Decodable {
        let run: String
        let state: String
        let revoked: String?
    }

    private func runs(in workspace: Workspace) async throws -> [Listed] {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        return try JSONDecoder().decode([Listed].self, from: Data(list.output.utf8))
    }

    private func send(_ arguments: [String], in workspace: Workspace) async throws {
        try await Binary.run(["run"] + arguments, in: workspace, status: 0)
    }

    @Test("The unfinished run is revoked, and a second call revokes nothing")
    func unfinishedRunIsRevokedAndASecondCallRevokesNothing() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let isOpen = Atomic(false)
        try await HubFixture.run(
            people: ["alice", "bob"],
            fault: { _ in isOpen.load(ordering: .relaxed) ? nil : .answer(status: 401) }
        ) { environment, _ in
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 4)
            isOpen.store(true, ordering: .relaxed)
            try await Binary.run(
                ["run", "notice.yaml", "--occurrence", "monday"], in: workspace,
                environment: environment, status: 0)
        }
        let before = try await runs(in: workspace)
        let paused = try #require(before.first { $0.state == "paused" }?.run)
        let sent = try #require(before.first { $0.state == "finished" }?.run)

        let first = try await Binary.run(["stop", "--revoke", "notice"], in: workspace, status: 0)
        #expect(first.output.contains("Run \(paused) is ended"))
        #expect(
            first.complaints.contains(
                "Run \(sent) of this campaign was not changed: its payloads can still be fetched. To revoke "
                    + "them: "), "\(first.complaints)")
        #expect(first.complaints.contains("/hubsend stop --revoke \(sent)"))

        let second = try await Binary.run(["stop", "--revoke", "notice"], in: workspace, status: 2)
        #expect(
            second.complaints.contains("run \(paused) was already revoked on 2"),
            "\(second.complaints)")
        #expect(second.complaints.contains("  \(sent)  finished, 2 people\n"))

        let named = try await Binary.run(["stop", "--revoke", paused], in: workspace, status: 0)
        #expect(named.output.contains("Run \(paused) was already revoked on 2"))
        #expect(try await runs(in: workspace).first { $0.run == sent }?.revoked == nil)
    }

    @Test("If either of two finished runs could be meant, neither is revoked")
    func ifEitherOfTwoFinishedRunsCouldBeMeantNeitherIsRevoked() async throws {
        let workspace = try await SentFiles.notice()
        try await send(["notice.yaml", "--occurrence", "monday"], in: workspace)
        let result = try await Binary.run(["stop", "--revoke", "notice"], in: workspace, status: 2)
        #expect(
            result.complaints.contains("has 2 finished runs whose payloads can still be fetched."),
            "\(result.complaints)")
        let runs = try await runs(in: workspace)
        #expect(
            result.complaints.contains(
                runs.map { "  \($0.run)  finished, 2 people\n" }.joined()), "\(result.complaints)")
        #expect(runs.allSatisfy { $0.revoked == nil })
    }

    @Test("A campaign's name cannot be used to end both of its unfinished runs")
    func campaignsNameCannotBeUsedToEndBothOfItsUnfinishedRuns() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { _ in .answer(status: 401) }) { environment, _ in
            for occurrence in ["monday", "tuesday"] {
                try await Binary.run(
                    ["run", "notice.yaml", "--occurrence", occurrence], in: workspace,
                    environment: environment, status: 4)
            }
        }
        for mode in ["--final", "--revoke"] {
            let result = try await Binary.run(["stop", mode, "notice"], in: workspace, status: 2)
            #expect(
                result.complaints.contains("has 2 runs that are not finished. Nothing was changed"),
                "\(result.complaints)")
        }
        #expect(try await runs(in: workspace).map(\.state) == ["paused", "paused"])
    }

    @Test("A finished alert cannot be revoked") func finishedAlertCannotBeRevoked() async throws {
        let workspace = try Workspace(["warning.yaml": Self.alert])
        try await send(["warning.yaml"], in: workspace)
        let run = try #require(try await runs(in: workspace).first?.run)
        for command in [["stop", "--revoke", "warning"], ["payload", "revoke", "--run", run]] {
            let result = try await Binary.run(command, in: workspace, status: 2)
            #expect(
                result.complaints.contains("Alerts that were already sent cannot be taken back"),
                "\(result.complaints)")
        }
        #expect(try await runs(in: workspace).map(\.revoked) == [nil])
    }

    @Test("An unfinished alert is ended, and the number of pushes already sent is shown")
    func unfinishedAlertIsEndedAndTheNumberOfPushesAlreadySentIsShown() async throws {
        let workspace = try Workspace(["warning.yaml": Self.alert])
        try await HubFixture.run(fault: { _ in .answer(status: 401) }) { environment, _ in
            try await Binary.run(
                ["run", "warning.yaml"], in: workspace, environment: environment, status: 4)
        }
        let stop = try await Binary.run(["stop", "--revoke", "warning"], in: workspace, status: 0)
        #expect(
            stop.output.contains("is ended for good: none of its 2 alerts was sent."),
            "\(stop.output)")
        #expect(!stop.output.contains("taken back"))
        #expect(try await runs(in: workspace).map(\.state) == ["finished"])
    }

    @Test("Listing an unknown campaign reports that it is unknown")
    func listingAnUnknownCampaignReportsThatItIsUnknown() async throws {
        let workspace = try await SentFiles.notice()
        let near = try await Binary.run(["runs", "--campaign", "notce"], in: workspace, status: 0)
        #expect(
            near.output == "The store has no run of campaign notce. Did you mean notice?\n")
        let far = try await Binary.run(["runs", "--campaign", "nope"], in: workspace)
        #expect(far.output == "The store has no run of campaign nope.\n")
    }
}
