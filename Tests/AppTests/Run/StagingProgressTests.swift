import TestSupport
import Testing

@Suite(.bounded) struct StagingProgressTests {
    @Test("A terminal shows the progress of staging, with grouped digits")
    func terminalShowsTheProgressOfStagingWithGroupedDigits() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(to: Campaigns.people(1_200))
        ])
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let run = try await Binary.start(
            ["-c", #""$0" run notice.yaml 2>"$TERMINAL"; read -r key <"$TERMINAL""#, Binary.path],
            of: "/bin/sh", in: workspace, environment: ["TERMINAL": terminal.path])
        for words in [
            "\u{1B}[2Kreading the audience", "\u{1B}[2Ksorting 1,200 names",
            "\u{1B}[2Kstaging 1,200 people",
            "\r\u{1B}[2Khubsend: warning: secure and personal payloads", "100 %  1,200 of 1,200",
            "1,200 pushes accepted",
        ] {
            try await run.wait(for: terminal.shows(words))
        }
        terminal.press("\n")
        #expect(try await run.result().status == 0)
    }
}
