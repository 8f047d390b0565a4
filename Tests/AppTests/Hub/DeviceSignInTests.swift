import CampaignCore
import DeviceClient
import DeviceSimulation
import TestSupport
import Testing

@testable import App

/// The environment determines how a simulated device signs in.
@Suite(.bounded) struct DeviceSignInTests {
    private func signIn(_ environment: [String: String]) async throws -> DeviceSignIn {
        try await DeviceSignIn(
            of: Username("alice"), Invocation(environment: environment, currentFolder: "/"))
    }

    @Test(
        "A wrong setting is explained",
        arguments: [
            ([:], "HUBSEND_DEVICE_PASSWORD or HUBSEND_DEVICE_TOKEN"),
            (
                ["HUBSEND_DEVICE_PASSWORD": "sesame", "HUBSEND_DEVICE_TOKEN": "sesame"],
                "are both set"
            ),
            (["HUBSEND_DEVICE_TOKEN_FILE": "nothing"], "HUBSEND_DEVICE_TOKEN_FILE"),
            (["HUBSEND_DEVICE_PASSWORD_COMMAND": "exit 7"], "exited with 7"),
        ] as [([String: String], String)])
    func wrongSettingIsExplained(environment: [String: String], text: String) async throws {
        let refused = await #expect(throws: (any Error).self) { try await signIn(environment) }
        let said = "\(try #require(refused))"
        #expect(said.contains(text), "\(said)")
        #expect(!said.contains("sesame"))
    }

    @Test("A token file is read again for each request")
    func tokenFileIsReadAgainForEachRequest() async throws {
        let folder = try TemporaryFolder()
        try folder.write("one\n", to: "token", mode: 0o600)
        let signIn = try await signIn(["HUBSEND_DEVICE_TOKEN_FILE": folder.file("token")])
        #expect(signIn.isToken)
        #expect(try signIn.current() == .token("one"))
        try folder.write("two\n", to: "token", mode: 0o600)
        #expect(try signIn.current() == .token("two"))
    }

    @Test("A command that prints the password runs once")
    func commandThatPrintsThePasswordRunsOnce() async throws {
        let folder = try TemporaryFolder()
        let count = folder.file("count")
        let signIn = try await signIn([
            "HUBSEND_DEVICE_PASSWORD_COMMAND": "echo x >> \(count); wc -l < \(count)"
        ])
        for _ in 1...2 {
            #expect(try signIn.current() == .password(user: "alice", password: "1"))
        }
    }
}
