import Foundation
import LocalHub
import TestSupport
import Testing

/// Irreversible commands ask for confirmation on a terminal, and it is not an error to answer no.
@Suite(.bounded) struct QuestionTests {
    /// A workspace where a campaign was sent to two people.
    private func sent() async throws -> Workspace { try await SentFiles.notice() }

    private func payloads(in workspace: Workspace) async throws -> [[String: Any]] {
        let list = try await Binary.run(["payload", "list", "--format", "json"], in: workspace)
        let payloads = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        return try #require(payloads as? [[String: Any]])
    }

    private func states(in workspace: Workspace) async throws -> [String] {
        try await payloads(in: workspace).compactMap { $0["state"] as? String }
    }

    @Test("Declining to send prints a sentence and exits with 0")
    func decliningToSendPrintsASentenceAndExitsWith0() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "{}\n",
        ])
        let before = try workspace.listing()
        let result = try await Binary.answer(
            ["run", "--json", "notice.yaml"], asked: "notice: 2 people, 2 pushes", with: "n\n",
            thenSaying: "Nothing was sent.", in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
                "HUBSEND_HUB_NAME": "news",
            ])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(try workspace.listing() == before)
    }

    @Test("Revoking payloads asks for confirmation and shows the number of people")
    func revokingPayloadsAsksForConfirmationAndShowsTheNumberOfPeople() async throws {
        let workspace = try await sent()
        let payload = try #require(try await payloads(in: workspace).first)
        let run = try #require(payload["run"] as? String)
        let id = try #require(payload["notification"] as? String)
        for command in [
            ["stop", "notice", "--revoke"], ["payload", "revoke", "--run", run],
            ["payload", "revoke", id],
        ] {
            let result = try await Binary.answer(
                command, asked: "2 people will no longer be able to fetch its payloads",
                with: "n\n",
                thenSaying: "Nothing was changed.", in: workspace)
            #expect(result.status == 0)
            #expect(result.output.isEmpty)
        }
        #expect(try await states(in: workspace) == ["available"])
        let yes = try await Binary.answer(
            ["stop", run, "--revoke"], asked: "Revoke for good?", with: "y\n", thenSaying: nil,
            in: workspace)
        #expect(yes.status == 0)
        #expect(try await states(in: workspace) == ["revoked"])
    }

    @Test(
        "Without a terminal or with --yes, no confirmation is requested",
        arguments: [["stop", "notice", "--revoke"], ["stop", "notice", "--revoke", "--yes"]])
    func withoutATerminalOrWithYesNoConfirmationIsRequested(command: [String]) async throws {
        let workspace = try await sent()
        if command.contains("--yes") {
            try await Binary.run(command, onATerminalShowing: [], in: workspace)
        } else {
            try await Binary.run(command, in: workspace, status: 0)
        }
        #expect(try await states(in: workspace) == ["revoked"])
    }

    @Test("Revoking two payloads requires confirmation, but revoking one does not")
    func revokingTwoPayloadsRequiresConfirmationButRevokingOneDoesNot() async throws {
        let workspace = try Workspace([
            "people.csv": "username,code\nalice,4711\nbob,0815\ncarol,1234\n",
            "codes.yaml": """
            campaign: codes
            kind: secure
            platforms: [apns]
            audience: { files: [people.csv] }
            payload: { text: "Your code is {{code}}." }
            """,
        ])
        #expect(try await Binary.run(["run", "codes.yaml"], in: workspace).status == 0)
        let ids = try await payloads(in: workspace).compactMap { $0["notification"] as? String }
        let two = try await Binary.answer(
            ["payload", "revoke"] + ids[1...],
            asked: "2 people will no longer be able to fetch their own payload",
            with: "\u{4}", thenSaying: "Nothing was changed.", in: workspace)
        #expect(two.status == 0)
        try await Binary.run(
            ["payload", "revoke", ids[0]], onATerminalShowing: [], in: workspace)
        #expect(try await states(in: workspace) == ["revoked", "available", "available"])
    }

    @Test("Ending a run permanently asks for confirmation")
    func endingARunPermanentlyAsksForConfirmation() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { _ in .answer(status: 401) }) { environment, _ in
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 4)
        }
        let no = try await Binary.answer(
            ["stop", "notice", "--final"],
            asked: "2 of its 2 pushes to 2 people will never be sent", with: "n\n",
            thenSaying: "Nothing was changed.", in: workspace)
        #expect(no.status == 0)
        let paused = try await Binary.run(["runs", "--format", "json"], in: workspace)
        #expect(paused.output.contains(#""state":"paused""#))
        let yes = try await Binary.answer(
            ["stop", "--all", "--final"], asked: "End for good?", with: "yes\n", thenSaying: nil,
            in: workspace)
        #expect(yes.status == 0)
        #expect(yes.output.contains("is ended for good"))
    }
}
