import TestSupport
import Testing

/// A run alone also shows the warnings of `validate`.
@Suite(.bounded) struct RunWarningsTests {
    private static let warning = "[look-alike-variable]"

    private func workspace() throws -> Workspace {
        try Workspace([
            "notice.yaml": """
            campaign: notice
            kind: alert
            platforms: [apns]
            audience: { usernames: [alice, bob] }
            payload: { message: "Hi {city} of {land}" }

            """
        ])
    }

    @Test func aTerminalIsToldOfWarningsBeforeItIsAsked() async throws {
        let workspace = try workspace()
        try workspace.write("{}\n", to: "hubsend.yaml")
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let run = try await Binary.start(
            ["run", "notice.yaml"], on: terminal, in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
                "HUBSEND_HUB_NAME": "news",
            ])
        try await run.wait(for: terminal.shows("[y/N]"))
        for words in [
            "notice.yaml:5:", Self.warning, "notice: 2 people, 2 pushes, 2 warnings",
        ] {
            try await run.wait(for: terminal.shows(words))
        }
        terminal.press("n\n")
        #expect(try await run.result().status == 0)
    }

    @Test func withoutATerminalOnlyVerboseTellsAndOnlyOfWhatIsSent() async throws {
        let workspace = try workspace()
        let verbose = try await Binary.run(["run", "--verbose", "notice.yaml"], in: workspace)
        #expect(verbose.status == 0, "\(verbose.complaints)")
        #expect(verbose.complaints.contains(Self.warning))
        #expect(verbose.output.isEmpty)
        let finished = try await Binary.run(["run", "--verbose", "notice.yaml"], in: workspace)
        #expect(finished.status == 0)
        #expect(!finished.complaints.contains(Self.warning))
        let silent = try await Binary.run(["run", "--again", "notice.yaml"], in: workspace)
        #expect(silent.status == 0)
        #expect(silent.complaints.isEmpty)
    }
}
