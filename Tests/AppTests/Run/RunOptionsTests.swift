import ArgumentParser
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunOptionsTests {
    @Test(arguments: [
        ["--due"], ["--due", "campaigns", "a.yaml"], ["--due", "--json", "--yes", "--quiet"],
        ["a.yaml", "--wait", "5m"], ["a.yaml", "--again", "--wait", "30s"],
    ])
    func whatMakesSenseIsTaken(arguments: [String]) async {
        await #expect(throws: Never.self) { _ = try await RunCommand.asyncParse(arguments) }
    }

    @Test(arguments: [
        (["--due", "--again"], "leave --again or --due out"),
        (["--due", "--again", "--only", "failed"], "leave --again or --due out"),
        (["--due", "--occurrence", "2026-12"], "leave --occurrence or --due out"),
        (["--due", "a.yaml", "--to", "alice"], "leave --to or --due out"),
        (["--due", "--plan", "a.plan"], "leave --plan or --due out"),
        (["--due", "--dry-run"], "leave --dry-run or --due out"),
        (["--due", "--wait", "5m"], "leave --wait or --due out"),
        (["--due", "-"], "standard input (-) cannot be"),
        (["a.yaml", "--dry-run", "--wait", "5m"], "leave --wait or --dry-run out"),
        (["a.yaml", "--wait", "soon"], "write a whole number"), ([], "Name a campaign file."),
        (["a.yaml", "--only", "failed"], "--only goes with --again"),
        (
            ["a.yaml", "--again", "--only", "failed,acepted"],
            "failed,rejected,unknown,skipped,not_attempted"
        ),
        (
            ["a.yaml", "--again", "--only", "accepted"],
            "\"accepted\" is no outcome that can be chosen"
        ),
        (["a.yaml", "--as", "alice"], "--as goes with --to"),
        (["a.yaml", "b.yaml", "--plan", "a.plan"], "A plan is for one campaign."),
    ])
    func whatMakesNoSenseIsExplained(arguments: [String], words: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RunCommand.asyncParse(arguments)
        }
        #expect(error.map { RunCommand.fullMessage(for: $0).contains(words) } == true)
    }
}
