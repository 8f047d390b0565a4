import ArgumentParser
import TestSupport
import Testing

@testable import App

/// An empty hubsend variable is a mistake, never treated as unset.
@Suite(.bounded) struct EmptyVariableTests {
    @Test func anEmptySecretDoesNotChooseTheLocalHub() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: ["HUBSEND_HUB_CONNECTION_STRING": ""])
        #expect(result.status == 2)
        #expect(
            result.complaints
                == "hubsend: The variable HUBSEND_HUB_CONNECTION_STRING is set, but empty. Give it a value, or unset it.\n"
        )
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test(arguments: [
        ["validate"], ["runs"], ["payload", "list"], ["hub", "exec", "--", "true"],
    ])
    func commandsRefuseIt(arguments: [String]) async throws {
        let result = try await Binary.run(
            arguments, in: Workspace(["notice.yaml": Campaigns.secure()]),
            environment: ["HUBSEND_HUB_NAME": "", "HUBSEND_STORE": ""])
        #expect(result.status == 2)
        #expect(
            result.complaints.contains(
                "The variables HUBSEND_HUB_NAME, HUBSEND_STORE are set, but empty."),
            "\(result.complaints)")
    }

    /// The program checks the variables in one place, before anything asynchronous.
    @Test func everyCommandButThatForShellsRefusesIt() {
        var found: [any ParsableCommand.Type] = [Hubsend.self]
        var others: [String] = []
        while let command = found.popLast() {
            found += command.configuration.subcommands
            if !(command is any AsyncParsableCommand.Type) { others.append(command._commandName) }
        }
        #expect(others == ["completions"])
    }

    @Test(arguments: [[], ["--help"], ["--version"], ["run", "--help"], ["payload"]])
    func helpIsGivenAllTheSame(arguments: [String]) async throws {
        let result = try await Binary.run(
            arguments, in: Workspace(), environment: ["HUBSEND_STORE": ""])
        #expect(result.status == 0, "\(result.complaints)")
        #expect(!result.output.isEmpty)
    }
}
