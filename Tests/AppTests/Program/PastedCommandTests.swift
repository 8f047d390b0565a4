import Foundation
import LocalHub
import TestSupport
import Testing

/// Tests that commands that hubsend prints can be pasted without changes.
@Suite(.bounded) struct PastedCommandTests {
    private static let secret = "c2VjcmV0c2VjcmV0"

    /// The rest of the line after the given words.
    private func command(after words: String, in text: String) throws -> String {
        let place = try #require(text.range(of: words), "\(text)")
        return String(text[place.upperBound...].prefix { $0 != "\n" })
    }

    /// Pastes a command as cron's user, from another folder and without hubsend's variables.
    private func paste(
        _ command: String, in workspace: Workspace, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Result {
        // The command names the user who runs the test; sudo may not be installed.
        let own = command.replacing(/sudo -u [^ ]+ (--preserve-env=[^ ]+ )?/, with: "")
        return try await Binary.start(
            ["-c", own], of: "/bin/sh", in: workspace, from: "/", environment: environment
        ).result()
    }

    @Test("A command in cron's mail includes the program, the variables and the config")
    func commandInCronsMailIncludesTheProgramTheVariablesAndTheConfig() async throws {
        let workspace = try Workspace([
            "a b/notice.yaml": Campaigns.secure(
                delivery: ["rate: unlimited", "retry: { attempts: 2, for: 2s }"]),
            "a b/hubsend.yaml": "store: it's.sqlite\n",
        ])
        func cron(_ environment: [String: String]) throws -> [String: String] {
            try workspace.write(
                environment["HUBSEND_HUB_CONNECTION_STRING"] ?? "", to: "connection string")
            return [
                "HUBSEND_HUB_CONNECTION_STRING_FILE": "connection string",
                "HUBSEND_HUB_NAME": environment["HUBSEND_HUB_NAME"] ?? "",
            ]
        }
        let command = try await HubFixture.run(fault: { _ in .answer(status: 500) }) {
            environment, _ in
            let run = try await Binary.run(
                ["run", "a b/notice.yaml"], in: workspace, environment: cron(environment),
                status: 75)
            return try self.command(after: "To continue: ", in: run.complaints)
        }
        #expect(command.contains(Binary.path))
        #expect(command.contains("--config '\(workspace.file("a b/hubsend.yaml"))'"))
        #expect(
            command.contains(
                "HUBSEND_HUB_CONNECTION_STRING_FILE='\(workspace.file("connection string"))'"))
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            _ = try cron(environment)
            let resumed = try await paste(command, in: workspace)
            #expect(resumed.status == 0, "\(command): \(resumed.complaints)")
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("A suggested command contains a secret's variable, but not its value")
    func suggestedCommandContainsASecretsVariableButNotItsValue() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                delivery: ["rate: unlimited", "retry: { attempts: 2, for: 2s }"]),
            "hubsend.yaml": "{}\n",
        ])
        let run = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=\(Self.secret)",
                "HUBSEND_HUB_NAME": "news",
            ], status: 75)
        #expect(!run.complaints.contains(Self.secret))
        let command = try command(after: "To continue: ", in: run.complaints)
        #expect(
            command.contains(#"HUBSEND_HUB_CONNECTION_STRING="$HUBSEND_HUB_CONNECTION_STRING" "#))
        #expect(command.contains("HUBSEND_HUB_NAME=news "))
    }

    @Test("The suggested command for a follow-up run is complete")
    func suggestedCommandForAFollowUpRunIsComplete() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { $0.tags == "username:bob" ? .answer(status: 400) : nil })
        { environment, hub in
            for _ in 0..<2 {
                _ = try await Binary.run(
                    ["run", "notice.yaml"], in: workspace, environment: environment)
            }
            let told = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            let command = try command(after: "people it did not reach: ", in: told.complaints)
            #expect(
                command.contains("run \(workspace.file("notice.yaml")) --again --only rejected"))
            let before = hub.counts
            let rest = try await paste(command, in: workspace, environment: environment)
            #expect(rest.status == 3, "\(command): \(rest.complaints)")
            #expect(hub.counts.sends == before.sends, "bob alone is sent to, and refused again")
        }
    }

    @Test("A command that is suggested on a terminal is short")
    func commandThatIsSuggestedOnATerminalIsShort() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                delivery: ["rate: unlimited", "retry: { attempts: 2, for: 2s }"])
        ])
        try await HubFixture.run(fault: { _ in .answer(status: 500) }) { environment, _ in
            try await Binary.run(
                ["run", "notice.yaml"],
                onATerminalShowing: ["To continue: \(Binary.path) resume "], in: workspace,
                environment: environment, status: 75)
        }
    }
}
