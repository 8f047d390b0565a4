import TestSupport
import Testing

@testable import App

/// Secrets come from a variable, a file or a command, and are never shown.
@Suite(.bounded) struct SecretTests {
    private func secret(
        _ environment: [String: String], in folder: TemporaryFolder
    ) throws -> Secret {
        try #require(
            Secret.inEnvironment(
                "X", of: Invocation(environment: environment, currentFolder: folder.path)))
    }

    @Test("A value overrides a file, which overrides a command; spaces are trimmed")
    func valueOverridesAFileWhichOverridesACommandSpacesAreTrimmed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("\n filed \n", to: "key", mode: 0o600)
        var environment = ["X": "valued", "X_FILE": "key", "X_COMMAND": "echo printed"]
        for (name, text) in [("X", "valued"), ("X_FILE", "filed"), ("X_COMMAND", "printed")] {
            let secret = try secret(environment, in: folder)
            #expect(secret.setting == name)
            #expect(try await secret.text() == text)
            environment[name] = nil
        }
        let empty = Invocation(environment: ["X": ""], currentFolder: "/")
        if let secret = Secret.inEnvironment("X", of: empty) {
            Issue.record("\(secret.setting) is set to nothing.")
        }
    }

    @Test("A preview runs no command for a secret") func previewRunsNoCommandForASecret() throws {
        let folder = try TemporaryFolder()
        try folder.write("filed", to: "key", mode: 0o600)
        #expect(try secret(["X_FILE": "key"], in: folder).textWithoutCommands() == "filed")
        let command = try secret(["X_COMMAND": "touch '\(folder.file("ran"))'"], in: folder)
        #expect(try command.textWithoutCommands() == nil)
        #expect(try folder.contents() == ["key"])
    }

    @Test(
        "A file without a secret is refused",
        arguments: [
            (0o644, "hush", "chmod 600"), (0o600, " \n", "is empty"),
            (0o600, String(repeating: "x", count: 20_000), "X_FILE"),
        ])
    func fileWithoutASecretIsRefused(mode: Int, text: String, words: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "key", mode: mode)
        let secret = try secret(["X_FILE": "key"], in: folder)
        let fault = await #expect(throws: (any Error).self) { try await secret.text() }
        let sentence = Refused(for: try #require(fault)).sentence
        #expect(sentence.contains(words), "\(sentence)")
        #expect(!sentence.contains("hush") && sentence.utf8.count < 500)
    }

    @Test("A command that fails is identified by its setting, without its output")
    func commandThatFailsIsIdentifiedByItsSettingWithoutItsOutput() async throws {
        let secret = try secret(["X_COMMAND": "echo hush; exit 7"], in: TemporaryFolder())
        let fault = await #expect(throws: Refused.self) { try await secret.text() }
        #expect(
            fault?.description
                == "The command in X_COMMAND exited with 7. Run it by hand to see why.")
    }
}
