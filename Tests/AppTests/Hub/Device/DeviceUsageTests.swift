import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

/// Wrong calls of `hubsend device` get a sentence with a remedy, and the documented exit code.
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
    func aWrongOptionIsExplained(arguments: [String], text: String) throws {
        // The parser repeats an unknown option's name, and its value as another argument.
        let isSecret = arguments.contains("sesame")
        let error = try #require(
            #expect(throws: (any Error).self) {
                try DeviceCommand.parse(isSecret ? Array(arguments.dropLast()) : arguments)
            })
        #expect(DeviceCommand.exitCode(for: error) == .validationFailure)
        let said = DeviceCommand.fullMessage(for: error)
        #expect(said.contains(text), "\(said)")
    }

    @Test(
        arguments: [
            ([:], "HUBSEND_DEVICE_PASSWORD"),
            (
                [
                    "HUBSEND_DEVICE_PASSWORD": "sesame",
                    "HUBSEND_BACKEND": "http://backend.example",
                ], "not https"
            ),
            (
                [
                    "HUBSEND_DEVICE_PASSWORD": "sesame",
                    "HUBSEND_BACKEND": "https://alice:sesame@backend.example",
                ], "has a user or password"
            ),
        ] as [([String: String], String)])
    func aWrongSettingIsExplained(environment: [String: String], text: String) async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"],
            environment.merging(["HUBSEND_HUB_CONNECTION_STRING": Self.loopback]) { $1 }, says: text
        )
    }

    @Test func onlyALocalHubCanBeWatched() async throws {
        let string =
            "Endpoint=sb://contoso.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccessKey=YWJj"
        try await expect(
            ["--user", "alice", "--platform", "apns"],
            [
                "HUBSEND_DEVICE_PASSWORD": "sesame", "HUBSEND_HUB_CONNECTION_STRING": string,
                "HUBSEND_HUB_NAME": "hub",
            ], files: ["hubsend.yaml": "{}\n"], says: "no local hub")
    }

    @Test func theHubWithinARunCannotBeWatched() async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"], ["HUBSEND_DEVICE_PASSWORD": "sesame"],
            says: "hubsend hub")
    }

    @Test func withoutAHubItSaysWhatIsMissing() async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"], ["HUBSEND_DEVICE_PASSWORD": "sesame"],
            files: ["hubsend.yaml": "{}\n"], says: "No hub is configured")
    }

    @Test func aHubThatIsNotThereIsAPassingTrouble() async throws {
        try await expect(
            ["--user", "alice", "--platform", "apns"],
            [
                "HUBSEND_DEVICE_PASSWORD": "sesame",
                "HUBSEND_HUB_CONNECTION_STRING": Self.loopback,
            ], status: 75, says: "cannot be reached")
    }

    @Test func aBackendThatIsNotThereIsAPassingTrouble() async throws {
        try await HubFixture.run { environment, _ in
            try await expect(
                ["--user", "alice", "--platform", "apns", "--backend", "http://127.0.0.1:1"],
                environment.merging(["HUBSEND_DEVICE_PASSWORD": "sesame"]) { $1 }, status: 75,
                says: "The backend http://127.0.0.1:1 cannot be reached. Start `hubsend serve`")
        }
    }

    @Test func aHubOfAnotherNameIsExplained() async throws {
        try await HubFixture.run { environment, _ in
            try await expect(
                ["--user", "alice", "--platform", "apns"],
                environment.merging(
                    ["HUBSEND_DEVICE_PASSWORD": "sesame", "HUBSEND_HUB_NAME": "other"]
                ) { $1 }, says: "no hub of that name")
        }
    }
}
