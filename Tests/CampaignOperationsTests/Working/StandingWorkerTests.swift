import Foundation
import Logging
import Settings
import TestSupport
import Testing

@testable import CampaignOperations

/// What a worker needs before it can begin.
@Suite(.bounded) struct StandingWorkerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func worker(_ config: String, _ environment: [String: String] = [:]) throws {
        try folder.write(config, to: "hubsend.yaml", mode: 0o600)
        let settings = try EffectiveSettings.load(
            SettingFlags(config: folder.file("hubsend.yaml")), campaigns: [],
            invocation: Invocation(
                environment: environment,
                currentFolder: FileManager.default.currentDirectoryPath))
        _ = try StandingWorker(
            settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func aStoreInAFileHasNothingForAWorker() throws {
        let fault = #expect(throws: OperationFault.self) { try worker("store: store.sqlite\n") }
        let text = try #require(fault).description
        #expect(text.contains("store.sqlite") && text.contains("postgresql://"))
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains(
                "store.sqlite"))
    }

    @Test func aHubInsideThisProcessIsNoOneElses() throws {
        try folder.write("devices: []\n", to: "devices.yaml")
        let fault = #expect(throws: OperationFault.self) {
            try worker("store: postgresql://db.example/hubsend\nhub: { local: devices.yaml }\n")
        }
        #expect(try #require(fault).description.contains("hubsend hub"))
    }

    @Test func withoutAHubItSaysWhatIsMissing() {
        #expect(throws: SettingFault.self) {
            try worker("store: postgresql://db.example/hubsend\n")
        }
    }
}
