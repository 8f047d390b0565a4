import ArgumentParser
import ProcessControl
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ReportOptionsTests {
    @Test(
        "Valid combinations of options are accepted",
        arguments: [
            ["--format", "html"], ["welcome", "--since", "2026-12-01"], ["--since", "7d"],
            ["--since", "monday", "--until", "today"], ["--since", "yesterday"],
            ["--since", "2026-12-01", "--until", "2026-12-01", "--format", "csv"],
            ["--until", "2026-12-01T09:00:00+01:00"],
            ["20261201T090000Z-k3v7qa", "--format", "html"],
        ])
    func validCombinationsOfOptionsAreAccepted(arguments: [String]) async {
        await #expect(throws: Never.self) { _ = try await ReportCommand.asyncParse(arguments) }
    }

    @Test(
        "Invalid combinations of options are explained",
        arguments: [
            (["--since", "soon"], "\"soon\" is not a time. Write a date such as 2026-12-01"),
            (
                ["--since", "2026-12-02", "--until", "2026-12-01"],
                "--until must be later than --since"
            ),
            (["--user", "alice", "--since", "2026-12-01"], "leave them out, or leave out --user"),
            (["--user", "alice", "--format", "html"], "use text, csv or jsonl"),
            (
                ["20261201T090000Z-k3v7qa", "--until", "2026-12-01"],
                "leave out the run's id, or name a campaign instead"
            ),
        ])
    func invalidCombinationsOfOptionsAreExplained(arguments: [String], words: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await ReportCommand.asyncParse(arguments)
        }
        #expect(error.map { ReportCommand.fullMessage(for: $0).contains(words) } == true)
    }

    @Test("An interrupted inquiry says that the responses so far are kept")
    func interruptedInquirySaysThatTheResponsesSoFarAreKept() throws {
        let end = ReportCommand.end(ofTelemetry: SignalWatch.Interruption(ending: .terminated))
        let said = Refused(for: end)
        #expect(said.status == ExitStatus(.terminated))
        #expect(
            said.sentence
                == "interrupted; the hub's answers so far are saved. To get the rest, run the same command again."
        )
    }

    /// Exit code 75 tells scripts to repeat the command.
    @Test("A full disk exits with 75 only if another call would just write the report")
    func fullDiskExitsWith75OnlyIfAnotherCallWouldJustWriteTheReport() {
        let full = Refused.noRoom(for: "file /r/a.csv", why: "no space left on device")
        #expect(full.status == .tryAgain)
        func end(_ cause: Refused, isFixedByRerun: Bool) -> ReportNotWritten {
            ReportNotWritten(cause: cause, remedy: "Write it.", isFixedByRerun: isFixedByRerun)
        }
        #expect(end(full, isFixedByRerun: true).status == .tryAgain)
        #expect(end(full, isFixedByRerun: false).status == .configuration)
        #expect(end(full, isFixedByRerun: true).sentence == "\(full) Write it.")
        let other = Refused.unwritable("/r/a.csv", why: "permission denied")
        #expect(end(other, isFixedByRerun: true).status == .configuration)
    }
}
