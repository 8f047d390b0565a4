import ArgumentParser
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunOptionsTests {
    @Test(
        "Valid combinations of options are accepted",
        arguments: [
            ["--due"], ["--due", "campaigns", "a.yaml"], ["--due", "--json", "--yes", "--quiet"],
            ["a.yaml", "--wait", "5m"], ["a.yaml", "--again", "--wait", "30s"],
        ])
    func validCombinationsOfOptionsAreAccepted(arguments: [String]) async {
        await #expect(throws: Never.self) { _ = try await RunCommand.asyncParse(arguments) }
    }

    @Test(
        "Invalid combinations of options are explained",
        arguments: [
            (["--due", "--again"], "leave out --again or --due"),
            (["--due", "--again", "--only", "failed"], "leave out --again or --due"),
            (["--due", "--occurrence", "2026-12"], "leave out --occurrence or --due"),
            (["--due", "a.yaml", "--to", "alice"], "leave out --to or --due"),
            (["--due", "--plan", "a.plan"], "leave out --plan or --due"),
            (["--due", "--dry-run"], "leave out --dry-run or --due"),
            (["--due", "--wait", "5m"], "leave out --wait or --due"),
            (["--due", "-"], "cannot be used with standard input (-)"),
            (["a.yaml", "--dry-run", "--wait", "5m"], "leave out --wait or --dry-run"),
            (["a.yaml", "--wait", "soon"], "write a whole number"), ([], "Name a campaign file."),
            (["a.yaml", "--only", "failed"], "--only can only be used with --again"),
            (
                ["a.yaml", "--again", "--only", "failed,acepted"],
                "failed,rejected,unknown,skipped,not_attempted"
            ),
            (
                ["a.yaml", "--again", "--only", "accepted"],
                "\"accepted\" is not an outcome that can be chosen"
            ),
            (["a.yaml", "--as", "alice"], "--as can only be used with --to"),
            (
                ["a.yaml", "b.yaml", "--plan", "a.plan"],
                "A plan is for one campaign; name only one campaign."
            ),
        ])
    func invalidCombinationsOfOptionsAreExplained(arguments: [String], words: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RunCommand.asyncParse(arguments)
        }
        #expect(error.map { RunCommand.fullMessage(for: $0).contains(words) } == true)
    }
}
