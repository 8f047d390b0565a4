import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct NextStepTests {
    @Test("A follow-up run is suggested only for a campaign's latest run")
    func followUpRunIsSuggestedOnlyForACampaignsLatestRun() async throws {
        let workspace = try Workspace([
            "hubsend.yaml": "store: store.sqlite\n", "notice.yaml": Campaigns.secure(),
        ])
        try await HubFixture.run(fault: { _ in .answer(status: 400) }) { environment, _ in
            func call(_ words: String...) async throws -> String {
                let result = try await Binary.run(words, in: workspace, environment: environment)
                return result.output + result.complaints
            }
            _ = try await call("run", "notice.yaml")
            let older = try #require(try await ids(in: workspace).last)
            #expect(try await call("runs", "show", older).contains("--again --only rejected"))
            _ = try await call("run", "notice.yaml", "--again")
            let later = try #require(try await ids(in: workspace).first)
            for text in [
                try await call("runs", "show", older),
                try await call("report", older, "--format", "text", "--output", "-"),
                try await call("run", "notice.yaml"),
            ] {
                #expect(!text.contains("--only rejected"), "\(text)")
                #expect(text.contains("Run \(later) was sent later"), "\(text)")
            }
            #expect(try await call("runs", "show", later).contains("--again --only rejected"))
        }
    }

    private func ids(in workspace: Workspace) async throws -> [String] {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        return list.output.matches(of: /"run":"([^"]+)"/).map { String($0.1) }
    }

    @Test("With a local hub, a terminal shows how many people have no device")
    func withALocalHubATerminalShowsHowManyPeopleHaveNoDevice() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "carol", "dave"])
        ])
        try await Binary.run(
            ["run", "notice.yaml"], onATerminalShowing: ["2 people have no device"], in: workspace)
    }

    @Test("Without a terminal, success prints nothing even if somebody has no device")
    func withoutATerminalSuccessPrintsNothingEvenIfSomebodyHasNo() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["carol"])])
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(result.status == 0 && result.complaints.isEmpty)
    }
}
