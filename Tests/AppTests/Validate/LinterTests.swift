import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct LinterTests {
    private static let campaign = """
        campaign: test
        kind: secure
        platforms: [gcm]
        audience: { usernames: [team@example.com] }
        payload: { text: Hello }

        """

    private func validate(
        _ arguments: [String], environment: [String: String] = [:], status: Int32 = 0
    ) async throws -> ChildProcess.Result {
        try await Binary.run(
            ["validate"] + arguments + ["a.yaml"], in: Workspace(["a.yaml": Self.campaign]),
            environment: environment, status: status)
    }

    @Test("Warnings fail only a strict check, and hints fail none")
    func warningsFailOnlyAStrictCheckAndHintsFailNone() async throws {
        let plain = try await validate([])
        #expect(plain.output.contains("a.yaml:3:13: warning: "))
        #expect(plain.output.contains("a.yaml:4:25: hint: "))
        _ = try await validate(["--strict"], status: 1)
        let disabled = try await validate(["--strict", "--disable", "old-spelling"])
        #expect(!disabled.output.contains("warning"))
        #expect(disabled.output.contains("[personal-username]"))
    }

    @Test("Errors and unknown rules cannot be disabled")
    func errorsAndUnknownRulesCannotBeDisabled() async throws {
        let error = try await validate(["--disable", "missing-key"], status: 2)
        #expect(error.complaints.contains("are errors and cannot be switched off"))
        let slip = try await validate(["--disable", "old-speling"], status: 2)
        #expect(slip.complaints.contains("Did you mean \"old-spelling\"?"))
    }

    @Test("Inside GitHub Actions, findings are annotations")
    func insideGitHubActionsFindingsAreAnnotations() async throws {
        let inside = ["GITHUB_ACTIONS": "true", "CI": "true"]
        let found = try await validate([], environment: inside)
        #expect(found.output.hasPrefix("::warning title=old-spelling,file=a.yaml,line=3,"))
        #expect(!found.output.contains("example.com"))
        let text = try await validate(["--format", "text"], environment: inside)
        #expect(text.output.hasPrefix("a.yaml:3:13: warning: "))
    }

    @Test("Standard input is checked as if it were the given file")
    func standardInputIsCheckedAsIfItWereTheGivenFile() async throws {
        let workspace = try Workspace([
            "sub/people.csv": "username\nalice\n", "sub/a.yaml": "not what is checked",
        ])
        let text = """
            campaign: test
            kind: secure
            platforms: [gcm]
            audience: { files: [people.csv] }
            payload: { text: Hello }
            """
        let named = try await Binary.run(
            ["validate", "--stdin-name", "sub/a.yaml", "-"], in: workspace, input: text)
        #expect(named.output.hasPrefix("sub/a.yaml:3:13: warning: "))
        let unused = try await Binary.run(
            ["validate", "--stdin-name", "sub/a.yaml", "sub"], in: workspace, status: 2)
        #expect(unused.complaints.contains("requires - as one of the paths"))
    }

    @Test("The page of a rule is shown, and for a typo, the closest rule is suggested")
    func pageOfARuleIsShownAndForATypoTheClosestRuleIsSuggested() async throws {
        let workspace = try Workspace()
        let page = try await Binary.run(["rules", "unknown-key"], in: workspace)
        #expect(page.output.hasPrefix("unknown-key (error): "))
        let slip = try await Binary.run(["rules", "unknwon-key"], in: workspace, status: 2)
        #expect(slip.output.isEmpty)
        #expect(slip.complaints.contains("Did you mean \"unknown-key\"?"))
        let list = try await Binary.run(["rules", "--format", "json"], in: workspace)
        let rules = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        #expect((rules as? [[String: String]])?.count ?? 0 > 60)
    }
}
