import TestSupport
import Testing

/// Tests that a run also shows the warnings of `validate`.
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

    @Test("A terminal shows warnings before it asks for confirmation")
    func terminalShowsWarningsBeforeItAsksForConfirmation() async throws {
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

    private static let audience = "audience: { usernames: [alice, bob] }"

    @Test(
        "Without a terminal, probable mistakes in the audience are shown",
        arguments: [
            (
                "audience: { usernames: [alice], exclude: { files: [out.txt] } }",
                "lists 1 person, who is not in the audience"
            ),
            ("audience: { files: [words.csv] }", "NULL"),
            (
                "audience: { files: [{ path: rows.csv, on_bad_row: skip }] }",
                "campaign notice: 2 rows of its files have errors and were skipped"
            ),
        ])
    func withoutATerminalProbableMistakesInTheAudienceAreShown(audience: String, words: String)
        async throws
    {
        let workspace = try workspace()
        let campaign = try workspace.text("notice.yaml").replacing(Self.audience, with: audience)
            .replacing("Hi {city} of {land}", with: "Hi {{city|you}}")
        try workspace.write(campaign, to: "notice.yaml")
        try workspace.write("carol@example.com\n", to: "out.txt")
        try workspace.write("username,city\nalice,NULL\n", to: "words.csv")
        try workspace.write("username,city\nalice,Rome\nb b,Rome\nc c,Rome\n", to: "rows.csv")
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        #expect(result.complaints.contains(words), "\(result.complaints)")
        let quiet = try await Binary.run(
            ["run", "notice.yaml", "--again", "--quiet"], in: workspace)
        #expect(quiet.status == 0 && quiet.complaints.isEmpty, "\(quiet.complaints)")
    }

    @Test("A new store for a remote hub is announced once")
    func newStoreForARemoteHubIsAnnouncedOnce() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(delivery: ["retry: { attempts: 1, for: 1s }"]),
            "hubsend.yaml": "store: new.sqlite\n",
        ])
        for isNew in [true, false] {
            let run = try await Binary.run(
                ["run", "notice.yaml"], in: workspace,
                environment: [
                    "HUBSEND_HUB_CONNECTION_STRING":
                        "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
                    "HUBSEND_HUB_NAME": "news",
                ], status: 75)
            #expect(run.complaints.contains("new.sqlite is new. ") == isNew, "\(run.complaints)")
        }
    }

    @Test("Without a terminal, warnings about anything else require --verbose")
    func withoutATerminalWarningsAboutAnythingElseRequireVerbose() async throws {
        let workspace = try workspace()
        let verbose = try await Binary.run(
            ["run", "--verbose", "notice.yaml"], in: workspace, status: 0)
        #expect(verbose.complaints.contains(Self.warning))
        #expect(verbose.output.isEmpty)
        let finished = try await Binary.run(
            ["run", "--verbose", "notice.yaml"], in: workspace, status: 0)
        #expect(!finished.complaints.contains(Self.warning))
        let silent = try await Binary.run(
            ["run", "--again", "notice.yaml"], in: workspace, status: 0)
        #expect(silent.complaints.isEmpty)
    }
}
