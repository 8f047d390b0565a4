import ArgumentParser
import TestSupport
import Testing

@testable import App

/// An empty or misspelled hubsend variable is refused instead of being treated as unset.
@Suite(.bounded) struct EmptyVariableTests {
    @Test("An empty secret does not select the local hub")
    func emptySecretDoesNotSelectTheLocalHub() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: ["HUBSEND_HUB_CONNECTION_STRING": ""], status: 2)
        #expect(
            result.complaints
                == "hubsend: The variable HUBSEND_HUB_CONNECTION_STRING is set, but empty. Give it a value, or unset it.\n"
        )
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    /// The program checks the variables in one place, before anything asynchronous.
    @Test("Every command except completions refuses empty variables")
    func everyCommandExceptCompletionsRefusesEmptyVariables() {
        var found: [any ParsableCommand.Type] = [Hubsend.self]
        var others: [String] = []
        while let command = found.popLast() {
            found += command.configuration.subcommands
            if !(command is any AsyncParsableCommand.Type) { others.append(command._commandName) }
        }
        #expect(others == ["completions"])
    }

    @Test("A misspelled variable is refused") func misspelledVariableIsRefused() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: ["HUBSEND_HUB_CONECTION_STRING": "x", "HUBSEND_COLOR": "blue"], status: 2)
        #expect(result.complaints.hasSuffix("; did you mean HUBSEND_HUB_CONNECTION_STRING?\n"))
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test(
        "Help works even with an empty variable",
        arguments: [
            [], ["--help"], ["--version"], ["run", "--help"], ["payload"], ["help"],
            ["help", "payload", "list"],
        ])
    func helpWorksEvenWithAnEmptyVariable(arguments: [String]) async throws {
        let result = try await Binary.run(
            arguments, in: Workspace(), environment: ["HUBSEND_STORE": ""], status: 0)
        #expect(arguments == ["--version"] || result.output.contains("USAGE: "))
    }
}
