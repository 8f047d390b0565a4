import ArgumentParser
import ProcessControl
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ReportOptionsTests {
    @Test(arguments: [
        ["--format", "html"], ["welcome", "--since", "2026-12-01"], ["--since", "7d"],
        ["--since", "monday", "--until", "today"], ["--since", "yesterday"],
        ["--since", "2026-12-01", "--until", "2026-12-01", "--format", "csv"],
        ["--until", "2026-12-01T09:00:00+01:00"],
        ["20261201T090000Z-k3v7qa", "--format", "html"],
    ])
    func whatMakesSenseIsTaken(arguments: [String]) async {
        await #expect(throws: Never.self) { _ = try await ReportCommand.asyncParse(arguments) }
    }

    @Test(arguments: [
        (["--since", "soon"], "\"soon\" is not a time. Write a date such as 2026-12-01"),
        (["--since", "2026-12-02", "--until", "2026-12-01"], "--until is not after --since"),
        (["--user", "alice", "--since", "2026-12-01"], "leave them or --user out"),
        (["--user", "alice", "--format", "html"], "take text, csv or jsonl"),
        (
            ["20261201T090000Z-k3v7qa", "--until", "2026-12-01"],
            "leave the run's id out, or name a campaign instead"
        ),
    ])
    func whatMakesNoSenseIsExplained(arguments: [String], words: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await ReportCommand.asyncParse(arguments)
        }
        #expect(error.map { ReportCommand.fullMessage(for: $0).contains(words) } == true)
    }

    @Test func anInterruptedInquirySaysThatItsAnswersAreKept() throws {
        let end = ReportCommand.end(ofTelemetry: SignalWatch.Interruption(ending: .terminated))
        let said = Refused(for: end)
        #expect(said.status == ExitStatus(.terminated))
        #expect(
            said.sentence
                == "interrupted; what the hub has answered is kept, and the same command asks for the rest."
        )
    }

    /// Code 75 makes a script repeat the command.
    @Test func aReportWithoutRoomIsTriedAgainWhereThatWritesItAndSendsNothing() {
        let full = Refused.noRoom(for: "file /r/a.csv", why: "no space left on device")
        #expect(full.status == .tryAgain)
        func end(_ cause: Refused, isMendedByRerun: Bool) -> ReportNotWritten {
            ReportNotWritten(cause: cause, remedy: "Write it.", isMendedByRerun: isMendedByRerun)
        }
        #expect(end(full, isMendedByRerun: true).status == .tryAgain)
        #expect(end(full, isMendedByRerun: false).status == .configuration)
        #expect(end(full, isMendedByRerun: true).sentence == "\(full) Write it.")
        let other = Refused.unwritable("/r/a.csv", why: "permission denied")
        #expect(end(other, isMendedByRerun: true).status == .configuration)
    }
}
