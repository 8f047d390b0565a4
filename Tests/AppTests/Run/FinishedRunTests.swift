import Foundation
import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct FinishedRunTests {
    private static let command = ["run", "notice.yaml"]

    @Test("From cron, a finished run without errors prints nothing")
    func fromCronAFinishedRunWithoutErrorsPrintsNothing() async throws {
        let workspace = try await SentFiles.notice()
        let result = try await Binary.run(Self.command, in: workspace, status: 0)
        #expect(result.complaints.isEmpty, "\(result.complaints)")
        #expect(result.output.isEmpty)
        let texts = [
            "campaign notice was sent before (run ", "To send it to everybody again: ",
        ]
        try await Binary.run(Self.command, onATerminalShowing: texts, in: workspace)
    }

    @Test("A finished run keeps its exit code and the reason for it")
    func finishedRunKeepsItsExitCodeAndTheReasonForIt() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { $0.tags == "username:bob" ? .answer(status: 400) : nil })
        { environment, hub in
            for _ in 0..<2 {
                let result = try await Binary.run(
                    Self.command, in: workspace, environment: environment, status: 3)
                #expect(result.complaints.contains("Outcomes: 1 accepted, 1 rejected."))
            }
            let last = try await Binary.run(
                Self.command + ["--quiet"], in: workspace, environment: environment, status: 3)
            #expect(last.complaints.contains("was sent before"))
            #expect(last.complaints.contains(" --again --only rejected"))
            #expect(hub.counts.sends == 1)
        }
    }

    @Test("Revoked payloads are reported even from cron")
    func revokedPayloadsAreReportedEvenFromCron() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let first = try await Binary.run(
                Self.command + ["--json"], in: workspace, environment: environment, status: 0)
            let object = try first.output.object()
            let id = try #require(object["run"] as? String)
            try await Binary.run(
                ["stop", id, "--revoke"], in: workspace, environment: environment, status: 0)
            let second = try await Binary.run(
                Self.command, in: workspace, environment: environment)
            #expect(second.complaints.contains(" Its payloads were revoked on "))
            #expect(second.complaints.contains(" UTC; nobody can fetch them. To send it"))
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("A changed copy of a campaign file is refused until it is renamed")
    func changedCopyOfACampaignFileIsRefusedUntilItIsRenamed() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            try await Binary.run(Self.command, in: workspace, environment: environment, status: 0)
            try workspace.write(
                Campaigns.secure().replacing("There is news.", with: "There is more."),
                to: "copy.yaml")
            let copy = try await Binary.run(
                ["run", "copy.yaml"], in: workspace, environment: environment, status: 2)
            #expect(
                copy.complaints.contains(
                    "was sent before from \(workspace.file("notice.yaml")) (run "))
            #expect(
                copy.complaints.hasSuffix(
                    "so this file was not sent. Change the name after `campaign:` in the file.\n"),
                "\(copy.complaints)")
            // The same content in another folder, such as a second checkout, is the same campaign.
            try workspace.write(Campaigns.secure(), to: "copy.yaml")
            try await Binary.run(
                ["run", "copy.yaml"], in: workspace, environment: environment, status: 0)
            try workspace.write(Campaigns.secure("other"), to: "notice.yaml")
            let only = try await Binary.run(
                ["run", "copy.yaml"], in: workspace, environment: environment)
            #expect(only.status == 0 && only.complaints.isEmpty, "\(only.complaints)")
            try FileManager.default.removeItem(atPath: workspace.file("notice.yaml"))
            let renamed = try await Binary.run(
                ["run", "copy.yaml"], in: workspace, environment: environment, status: 0)
            #expect(renamed.complaints.isEmpty, "\(renamed.complaints)")
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("A file that has changed since the run is reported even from cron")
    func fileThatHasChangedSinceTheRunIsReportedEvenFromCron() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            try await Binary.run(Self.command, in: workspace, environment: environment, status: 0)
            // Settings that every run reads from the file again do not count as changes.
            try workspace.write(
                Campaigns.secure(delivery: ["rate: 400/s"]), to: "notice.yaml")
            let same = try await Binary.run(Self.command, in: workspace, environment: environment)
            #expect(same.complaints.isEmpty, "\(same.complaints)")
            try workspace.write(
                Campaigns.secure().replacing("There is news.", with: "There is more."),
                to: "notice.yaml")
            let second = try await Binary.run(
                Self.command, in: workspace, environment: environment, status: 0)
            #expect(
                second.complaints.contains(
                    "is not sent again, although its file has changed since (payload). "
                        + "To send it to everybody again: "), "\(second.complaints)")
            #expect(second.complaints.split(separator: "\n").count == 1)
            #expect(hub.counts.sends == 2)
        }
    }
}
