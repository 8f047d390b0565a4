import LocalHub
import TestSupport
import Testing

/// What `hubsend run` says and ends with when it finds its campaign finished: the real binary, as cron calls it and on a terminal.
@Suite(.bounded) struct FinishedRunTests {
    private static let command = ["run", "notice.yaml"]

    @Test func fromCronNothingIsSaidWhenAllHadGoneWell() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        for _ in 0..<2 {
            let result = try await Binary.run(Self.command, in: workspace)
            #expect(result.status == 0)
            #expect(result.complaints.isEmpty, "\(result.complaints)")
            #expect(result.output.isEmpty)
        }
        let terminal = try PseudoTerminal()
        let run = try await Binary.start(Self.command, on: terminal, in: workspace)
        #expect(try await run.result().status == 0)
        await terminal.shows("campaign notice was sent before (run ").wait()
        await terminal.shows("To send it once more: --again").wait()
        withExtendedLifetime(terminal) {}
    }

    @Test func theCodeOfTheFinishedRunStaysWithItsReason() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { $0.tags == "username:bob" ? .answer(status: 400) : nil })
        { environment, hub in
            for _ in 0..<3 {
                let result = try await Binary.run(
                    Self.command, in: workspace, environment: environment)
                #expect(result.status == 3)
                #expect(result.complaints.contains("Outcomes: 1 accepted, 1 rejected."))
            }
            let last = try await Binary.run(
                Self.command + ["--quiet"], in: workspace, environment: environment)
            #expect(last.status == 3)
            #expect(last.complaints.contains("was sent before"))
            #expect(last.complaints.contains("--again --only failed,rejected,unknown"))
            #expect(hub.counts.sends == 1)
        }
    }

    @Test func aFileThatHasChangedSinceIsToldOfAlsoFromCron() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let first = try await Binary.run(
                Self.command, in: workspace, environment: environment)
            #expect(first.status == 0)
            // What a rerun takes from the file anyway is no change.
            try workspace.write(
                Campaigns.secure(delivery: ["rate: 400/s"]), to: "notice.yaml")
            let same = try await Binary.run(Self.command, in: workspace, environment: environment)
            #expect(same.complaints.isEmpty, "\(same.complaints)")
            try workspace.write(
                Campaigns.secure().replacing("There is news.", with: "There is more."),
                to: "notice.yaml")
            let second = try await Binary.run(
                Self.command, in: workspace, environment: environment)
            #expect(second.status == 0)
            #expect(
                second.complaints.contains(
                    "is not sent again, although its file has changed since (payload). "
                        + "To send it once more: --again"), "\(second.complaints)")
            #expect(second.complaints.split(separator: "\n").count == 1)
            #expect(hub.counts.sends == 2)
        }
    }
}
