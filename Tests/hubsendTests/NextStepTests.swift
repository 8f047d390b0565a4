import LocalHub
import TestSupport
import Testing

/// What a run says about people who did not get it.
@Suite(.bounded) struct NextStepTests {
    @Test("The first mail names the whole command that sends again to those who were left")
    func commandToSendAgain() async throws {
        let workspace = try Workspace([
            "hubsend.yaml": "store: store.sqlite\n", "notice.yaml": Campaigns.secure(),
        ])
        try await HubFixture.run(fault: { request in
            request.tags == "username:bob" ? .answer(status: 400) : nil
        }) { environment, _ in
            let result = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            #expect(result.status == 3)
            let words = [
                "run", workspace.file("notice.yaml"), "--again", "--only", "rejected",
                "--config", workspace.file("hubsend.yaml"),
            ]
            #expect(
                result.complaints.contains(
                    "/hubsend \(words.joined(separator: " "))"))
            #expect(result.complaints.contains("To send it again to those only: HUBSEND_HUB_NAME="))
            let again = try await Binary.run(words, in: workspace, environment: environment)
            #expect(again.status == 3)
        }
    }

    @Test("At a local hub a terminal is told how many people have no device")
    func peopleWithoutDevice() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: ["alice", "carol", "dave"])
        ])
        let terminal = try PseudoTerminal()
        let run = try await Binary.start(["run", "notice.yaml"], on: terminal, in: workspace)
        try await run.wait(for: terminal.shows("2 people have no device"))
        #expect(try await run.result().status == 0)
        withExtendedLifetime(terminal) {}
    }

    @Test("Without a terminal, success stays silent though somebody has no device")
    func silence() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["carol"])])
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(result.status == 0 && result.complaints.isEmpty)
    }
}
