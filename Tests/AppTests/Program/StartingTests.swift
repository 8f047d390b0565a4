import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

/// The first minutes with hubsend: `init`, a run, and completion in a shell.
@Suite(.bounded) struct StartingTests {
    /// A folder without a config in any folder above it.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        for name in ["hubsend.yaml", "devices.yaml"] {
            try FileManager.default.removeItem(atPath: workspace.file(name))
        }
        return workspace
    }

    @Test("A new folder can be previewed and run immediately")
    func newFolderCanBePreviewedAndRunImmediately() async throws {
        let workspace = try workspace()
        let made = try await Binary.run(["init", "push"], in: workspace, status: 0)
        #expect(made.complaints.isEmpty)
        #expect(made.output.contains("\n  hubsend run push/welcome.yaml\n"))
        try await Binary.run(["validate", "--strict", "push"], in: workspace, status: 0)
        let files = ["welcome", "statement", "maintenance"].map { "push/\($0).yaml" }
        try await Binary.run(["run"] + files, in: workspace, status: 0)
        let words = try await Binary.run(
            ["---completion", "report", "--", "positional@0", "2", "0", "hubsend", "report", ""],
            in: workspace, from: "push")
        let lines = words.output.split(separator: "\n")
        #expect(lines.prefix(3) == ["maintenance", "statement", "welcome"])
        #expect(lines.count == 6, "\(words.output)")
        let again = try await Binary.run(["init", "push"], in: workspace, status: 0)
        #expect(
            again.complaints.contains(
                "push/hubsend.yaml exists and was left unchanged."))
    }

    /// The real bash, completing with the real program.
    @Test("Bash completes only campaign files") func bashCompletesOnlyCampaignFiles() async throws {
        let workspace = try Workspace(["spring.yaml": Campaigns.secure()])
        try workspace.write(Hubsend.completionScript(for: .bash), to: "script")
        let ask = """
            source ./script
            COMP_WORDS=("$0" preview ""); COMP_CWORD=2
            COMP_LINE="$0 preview "; COMP_POINT=${#COMP_LINE}
            _hubsend "$0" "" preview
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try await Binary.start(
            ["-c", ask, Binary.path], of: "/bin/bash", in: workspace
        ).result()
        let words = result.output.split(separator: "\n").filter { !$0.hasPrefix("-") }
        #expect(words == ["spring.yaml"], "\(result.output) \(result.complaints)")
    }

    @Test(
        "Every shell has a completion script that contains the commands",
        arguments: CompletionsCommand.Shell.allCases)
    func everyShellHasACompletionScriptThatContainsTheCommands(shell: CompletionsCommand.Shell)
        async throws
    {
        let workspace = try workspace()
        // Completions must work in any environment, because a shell loads them when it starts.
        let result = try await Binary.run(
            ["completions", shell.rawValue], in: workspace, environment: ["HUBSEND_STORE": ""],
            status: 0)
        #expect(result.complaints.isEmpty)
        for command in ["validate", "preview", "completions"] {
            #expect(result.output.contains(command))
        }
    }

    /// All arguments of a command and its subcommands, each with the command's name.
    private static func arguments(
        of command: [String: Any]
    ) -> [(command: String, argument: [String: Any])] {
        let name = command["commandName"] as? String ?? ""
        return (command["arguments"] as? [[String: Any]] ?? []).map { (name, $0) }
            + (command["subcommands"] as? [[String: Any]] ?? []).flatMap { arguments(of: $0) }
    }

    @Test("Arguments are completed as files, folders or runs")
    func argumentsAreCompletedAsFilesFoldersOrRuns() throws {
        let dump = try Hubsend._dumpHelp().object()
        let root = try #require(dump["command"] as? [String: Any])
        var found: [String: Int] = [:]
        for (command, argument) in Self.arguments(of: root) {
            let value = argument["valueName"] as? String ?? ""
            let expected: String? =
                switch value {
                case "file": "file"
                case "folder": "directory"
                case "run", "run-or-campaign": "customAsync"
                default: nil
                }
            guard let expected else { continue }
            let kind = (argument["completionKind"] as? [String: Any])?.keys.first
            #expect(kind == expected, "\(command) \(argument["names"] ?? value)")
            found[value, default: 0] += 1
        }
        #expect(found.keys.sorted() == ["file", "folder", "run", "run-or-campaign"])
        #expect(found["run"] == 2)
    }

    @Test(
        "A folder name that cannot start a campaign name is refused",
        arguments: ["Acme", "", "a b", String(repeating: "a", count: 41)])
    func folderNameThatCannotStartACampaignNameIsRefused(name: String) {
        #expect(throws: (any Error).self) { try InitCommand.parse(["--name", name]) }
    }
}
