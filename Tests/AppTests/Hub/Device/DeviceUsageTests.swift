import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DeviceUsageTests {
    private static let loopback =
        "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=a;SharedAccessKey=YWJj;EntityPath=hub"

    private func expect(
        _ arguments: [String], _ environment: [String: String] = [:],
        files: [String: String] = [:], status: Int32 = 2, says text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await Binary.run(
            ["device"] + arguments, in: Workspace(files), environment: environment)
        let said = result.output + result.complaints
        #expect(result.status == status, "\(said)", sourceLocation: sourceLocation)
        #expect(said.contains(text), "\(said)", sourceLocation: sourceLocation)
        #expect(!said.contains("sesame"), sourceLocation: sourceLocation)
    }

    @Test(
        "A wrong option is explained",
        arguments: [
            (["--platform", "apns"], "--user"),
            (["--user", "alice"], "--platform"),
            (["--user", "al ice", "--platform", "apns"], "al ice"),
            (["--user", "alice", "--platform", "mpns"], "apns, fcm, wns, adm or browser"),
            (["--user", "alice", "--platform", "apns", "--count", "0"], "1 to 100"),
            (["--user", "alice", "--platform", "apns", "--count", "101"], "1 to 100"),
            (
                ["--user", "alice", "--platform", "apns", "--count", "2", "--handle", "AA"],
                "--count"
            ),
            (["--user", "alice", "--platform", "apns", "--handle", ""], "--handle"),
            (["--user", "alice", "--platform", "apns", "--once", "--messages", "2"], "--messages"),
            (["--user", "alice", "--platform", "apns", "--messages", "0"], "at least 1"),
            (["--user", "alice", "--platform", "apns", "--for", "soon"], "10s"),
            (["--user", "alice", "--platform", "apns", "--password", "sesame"], "--password"),
        ] as [([String], String)])
    func wrongOptionIsExplained(arguments: [String], text: String) throws {
        // The parser repeats the name of an unknown option, and treats the value as another
        // argument.
        let isSecret = arguments.contains("sesame")
        let error = try #require(
            #expect(throws: (any Error).self) {
                try DeviceCommand.parse(isSecret ? Array(arguments.dropLast()) : arguments)
            })
        #expect(DeviceCommand.exitCode(for: error) == .validationFailure)
        let said = DeviceCommand.fullMessage(for: error)
        #expect(said.contains(text), "\(said)")
    }

    private static let distant =
        "Endpoint=sb://contoso.example/;SharedAccessKeyName=a;SharedAccessKey=YWJj;EntityPath=hub"

    /// The variables other than the password.
    @Test(
        "A wrong setting is explained",
        arguments: [
            (["HUBSEND_BACKEND": "http://backend.example"], 2, "not https"),
            (["HUBSEND_BACKEND": "https://alice:sesame@backend.example"], 2, "a user or password"),
            (["HUBSEND_HUB_CONNECTION_STRING": distant], 2, "not a local hub"),
            ([:], 75, "cannot be reached"),
        ] as [([String: String], Int32, String)])
    func wrongSettingIsExplained(
        variables: [String: String], status: Int32, text: String
    ) async throws {
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING": Self.loopback, "HUBSEND_DEVICE_PASSWORD": "sesame",
        ].merging(variables) { $1 }
        try await expect(
            ["--user", "alice", "--platform", "apns"], environment,
            files: ["hubsend.yaml": "{}\n"], status: status, says: text)
    }

    @Test("A device cannot use a hub that is embedded in a run")
    func deviceCannotUseAHubThatIsEmbeddedInARun() async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"], ["HUBSEND_DEVICE_PASSWORD": "sesame"],
            says: "hubsend hub")
    }

    @Test("Without a hub, the message says what is missing")
    func withoutAHubTheMessageSaysWhatIsMissing() async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"], ["HUBSEND_DEVICE_PASSWORD": "sesame"],
            files: ["hubsend.yaml": "{}\n"], says: "No hub is configured")
    }

    @Test("If the backend is unreachable, the command exits with 75")
    func ifTheBackendIsUnreachableTheCommandExitsWith75() async throws {
        try await HubFixture.run { environment, _ in
            try await expect(
                ["--user", "alice", "--platform", "apns", "--backend", "http://127.0.0.1:1"],
                environment.merging(["HUBSEND_DEVICE_PASSWORD": "sesame"]) { $1 }, status: 75,
                says: "The backend http://127.0.0.1:1 cannot be reached. Start `hubsend serve`")
        }
    }

    @Test("A wrong hub name is explained") func wrongHubNameIsExplained() async throws {
        try await HubFixture.run { environment, _ in
            try await expect(
                ["--user", "alice", "--platform", "apns"],
                environment.merging(
                    ["HUBSEND_DEVICE_PASSWORD": "sesame", "HUBSEND_HUB_NAME": "other"]
                ) { $1 }, says: "no hub with that name")
        }
    }
}
