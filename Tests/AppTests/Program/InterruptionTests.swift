import CampaignCore
import Foundation
import LocalHub
import SQLiteDriver
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct InterruptionTests {
    private static let people = Campaigns.people(200)

    /// A campaign that takes longer than any wait in the tests, even on a busy machine.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try slow(workspace)
        return workspace
    }

    private func slow(_ workspace: Workspace) throws {
        try workspace.write(
            Campaigns.secure(to: Self.people, delivery: ["rate: 1/s", "concurrency: 4"]),
            to: "notice.yaml")
    }

    /// When a run continues, it reads `delivery` from the current file.
    private func hurry(_ workspace: Workspace) throws {
        try workspace.write(Campaigns.secure(to: Self.people), to: "notice.yaml")
    }

    /// Starts a run of the slow campaign and calls the test once the first push has been sent.
    private func duringARun(
        in workspace: Workspace,
        _ body: (
            _ run: ChildProcess, _ environment: [String: String], _ hub: LocalHubServer
        ) async throws -> Void
    ) async throws {
        let reached = Milestone()
        try await HubFixture.run(
            people: Self.people,
            fault: { send in
                if send.ordinal == 2 { reached.reach() }
                return nil
            }
        ) { environment, hub in
            let run = try await Binary.start(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            try await run.wait(for: reached)
            try await body(run, environment, hub)
        }
    }

    @Test("A signal saves the run, and the next run sends the remaining pushes")
    func signalSavesTheRunAndTheNextRunSendsTheRemainingPushes() async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, environment, hub in
            run.signal(SIGINT)
            let first = try await run.end(130)
            #expect(first.complaints.contains("hubsend resume"))
            #expect(hub.counts.sends < Self.people.count)
            try hurry(workspace)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == Self.people.count)
            #expect(try workspace.reportRows(of: "notice").count == Self.people.count)
        }
    }

    @Test("A killed run is listed as paused and continues without losing anybody")
    func killedRunIsListedAsPausedAndContinuesWithoutLosingAnybody() async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, environment, hub in
            let during = try await Binary.run(["runs", "--format", "json"], in: workspace)
            #expect(during.output.contains(#""state":"running""#))
            run.signal(SIGKILL)
            _ = try await run.result()
            let after = try await Binary.run(["runs", "--format", "json"], in: workspace)
            #expect(after.output.contains(#""state":"paused""#))
            try hurry(workspace)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            let attempts = try workspace.reportRows(of: "notice").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)[8]
            }
            #expect(attempts.allSatisfy { $0 == "1" || $0 == "2" })
            for person in Self.people {
                let pushes = await hub.received(by: person)
                #expect(!pushes.isEmpty)
                #expect(Set(pushes.map(\.text)).count == 1, "a repeat carries the same id")
            }
        }
    }

    @Test("A stopped run stays stopped until it is resumed")
    func stoppedRunStaysStoppedUntilItIsResumed() async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, environment, hub in
            try await Binary.run(
                ["stop", "notice"], in: workspace, environment: environment, status: 0)
            #expect(try await run.result().status == 5)
            let rerun = try await Binary.run(
                ["run", "--json", "notice.yaml"], in: workspace, environment: environment, status: 5
            )
            #expect(rerun.output.contains(#""state":"stopped""#))
            #expect(rerun.complaints.contains("hubsend resume"))
            let id = try #require(
                rerun.complaints.split(separator: " ").first { $0.contains("Z-") }.map {
                    $0.trimmingCharacters(in: .punctuationCharacters)
                })
            try hurry(workspace)
            let sent = hub.counts.sends
            for options in [["--again"], ["--again", "--only", "failed"]] {
                let again = try await Binary.run(
                    ["run", "notice.yaml"] + options, in: workspace, environment: environment,
                    status: 5)
                #expect(again.complaints.contains("hubsend resume \(id)"))
            }
            #expect(hub.counts.sends == sent)
            let campaign = Campaigns.secure(to: Self.people)
                .replacing("There is news.", with: "There is news in {city}.")
            try workspace.write(campaign, to: "notice.yaml")
            let resumed = try await Binary.run(
                ["resume", "--verbose", id], in: workspace, environment: environment, status: 0)
            #expect(resumed.complaints.contains("[look-alike-variable]"), "as `run` warns of it")
            #expect(hub.counts.sends == Self.people.count)
        }
    }

    @Test(
        "A final stop from another terminal ends a run permanently",
        arguments: [
            (["notice", "--final"], Outcome.notAttempted), (["--all", "--final"], .notAttempted),
            (["notice", "--revoke"], .skipped),
        ])
    func finalStopFromAnotherTerminalEndsARunPermanently(
        arguments: [String], outcome: Outcome
    ) async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, environment, hub in
            let stop = try await Binary.run(
                ["stop"] + arguments, in: workspace, environment: environment, status: 0)
            #expect(stop.output.contains("for good") || stop.output.contains("are revoked"))
            #expect(try await run.result().status == 5)
            try hurry(workspace)
            let sent = hub.counts.sends
            let rerun = try await Binary.run(
                ["run", "--json", "notice.yaml"], in: workspace, environment: environment, status: 5
            )
            #expect(rerun.complaints.contains("ended it for good"))
            #expect(
                rerun.complaints.contains(
                    "To send it only to the people it did not reach: "))
            #expect(rerun.complaints.contains(outcome.rawValue), "\(rerun.complaints)")
            #expect(rerun.output.contains(#""state":"finished""#))
            #expect(hub.counts.sends == sent)
            let store = try SQLiteStore.openForReading(
                at: workspace.file(".hubsend/store.sqlite"))
            let record = try #require(await store.runs(campaign: nil, limit: 1).first)
            let rows = try await store.reportPage(
                record.id, after: 0, recipients: Self.people.count
            ).rows
            try store.close()
            #expect(rows.count == Self.people.count)
            #expect(rows.count { $0.outcome == outcome } == Self.people.count - sent)
            // A second stop has the same result, regardless of how the run was ended.
            guard arguments == ["notice", "--final"] else { return }
            try await Binary.run(
                ["stop", "notice", "--final"], in: workspace, environment: environment, status: 2)
        }
    }

    @Test("Neither a second path nor a deleted lock file lets a second process in")
    func neitherASecondPathNorADeletedLockFileLetsASecondProcessIn() async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, environment, hub in
            let plain = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 75)
            #expect(plain.complaints.contains("another process"))
            let store = workspace.file(".hubsend/store.sqlite")
            if FileManager.default.fileExists(atPath: store + ".lock") {
                try FileManager.default.removeItem(atPath: store + ".lock")
            }
            let other = workspace.file(".hubsend/other.sqlite")
            try FileManager.default.linkItem(atPath: store, toPath: other)
            for store in [store, other] {
                try await Binary.run(
                    ["run", "notice.yaml", "--store", store], in: workspace,
                    environment: environment, status: 75)
            }
            run.signal(SIGTERM)
            let first = try await run.end(143)
            #expect(first.complaints.contains("hubsend resume"))
            try FileManager.default.removeItem(atPath: other)
            try hurry(workspace)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == Self.people.count)
        }
    }

    @Test("A run ends with an error if its store is removed", arguments: [true, false])
    func runEndsWithAnErrorIfItsStoreIsRemoved(isReplaced: Bool) async throws {
        let workspace = try workspace()
        try await duringARun(in: workspace) { run, _, hub in
            let files = FileManager.default
            try files.moveItem(
                atPath: workspace.file(".hubsend"), toPath: workspace.file("old"))
            if isReplaced { try workspace.write("", to: ".hubsend/store.sqlite") }
            let result = try await run.end(2)
            #expect(result.complaints.contains("replaced, moved or deleted"))
            #expect(hub.counts.sends < Self.people.count)
        }
    }

    @Test("An unfinished run continues without its audience file")
    func unfinishedRunContinuesWithoutItsAudienceFile() async throws {
        let workspace = try Workspace([
            "people.txt": Self.people.joined(separator: "\n"),
            "notice.yaml": """
            campaign: notice
            kind: secure
            platforms: [apns]
            audience: { files: [people.txt] }
            payload: { text: News }
            delivery: { rate: 1/s, concurrency: 4 }
            """,
        ])
        try await duringARun(in: workspace) { run, environment, hub in
            run.signal(SIGINT)
            try await run.end(130)
            try FileManager.default.removeItem(atPath: workspace.file("people.txt"))
            try FileManager.default.removeItem(atPath: workspace.file("notice.yaml"))
            try hurry(workspace)
            let runs = try await Binary.run(["runs", "--format", "json"], in: workspace)
            let list = try runs.output.objects()
            let id = try #require(list.first?["run"] as? String)
            try await Binary.run(
                ["resume", id], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == Self.people.count)
        }
    }
}
