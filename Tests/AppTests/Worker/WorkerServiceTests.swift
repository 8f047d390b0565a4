import CampaignCore
import Foundation
import Logging
import PostgreSQLClient
import PostgreSQLDriver
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct WorkerServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func worker(
        _ config: String, _ environment: [String: String] = [:]
    ) throws -> WorkerService {
        try folder.write(config, to: "hubsend.yaml", mode: 0o600)
        let settings = try EffectiveSettings.load(
            SettingFlags(config: folder.file("hubsend.yaml")), campaigns: [],
            invocation: Invocation(environment))
        return try WorkerService(
            settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("A worker refuses a store in a file") func workerRefusesAStoreInAFile() throws {
        let refusal = #expect(throws: Refused.self) { try worker("store: store.sqlite\n") }
        let text = try #require(refusal).description
        #expect(text.contains("store.sqlite") && text.contains("postgresql://"))
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains(
                "store.sqlite"))
    }

    @Test("A worker refuses a hub inside its own process")
    func workerRefusesAHubInsideItsOwnProcess() throws {
        try folder.write("devices: []\n", to: "devices.yaml")
        let refusal = #expect(throws: Refused.self) {
            try worker("store: postgresql://db.example/hubsend\nhub: { local: devices.yaml }\n")
        }
        #expect(try #require(refusal).description.contains("hubsend hub"))
    }

    @Test("A worker refuses a config without a hub") func workerRefusesAConfigWithoutAHub() {
        #expect(throws: Refused.self) {
            try worker("store: postgresql://db.example/hubsend\n")
        }
    }

    /// Thrown when the worker is ready.
    private struct Begun: Error {}

    @Test("A worker with the wrong payload key exits before it does anything", .postgreSQL)
    func workerWithTheWrongPayloadKeyExitsBeforeItDoesAnything() async throws {
        let address = try await PostgreSQLServer.shared.emptyStore()
        let text = "Endpoint=sb://hub.example/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0"
        let hub = try HubConnection(text, named: "hub")
        let keys = [7, 8].map { Data(repeating: $0, count: 32).base64EncodedString() }
        let right = PayloadKeySource.given(try #require(PayloadKey(keys[0])))
        let store = try PostgreSQLStore.open(
            at: address,
            options: PostgreSQLStoreOptions(
                StoreOptions(payloadKey: right), keyFolder: folder.path, connections: 2))
        // A run that the worker would join.
        let run = Samples.run(hub: "hub.example", kind: .secure)
        try await StoreUnderTest { store }.stage(Samples.names(2), of: run)
        try await store.setState(.running, reason: nil, of: run.id, at: Samples.start)
        let sharing = try #require(store.sharing)
        #expect(try await sharing.openRuns(at: hub.identity).map(\.id) == [run.id])

        // The correct key is tried first, to show that only the key makes the difference.
        for (key, isRight) in zip(keys, [true, false]) {
            let worker = try worker(
                "store: store.sqlite\n",
                [
                    "HUBSEND_STORE": address.text, "HUBSEND_HUB_CONNECTION_STRING": text,
                    "HUBSEND_HUB_NAME": "hub", "HUBSEND_PAYLOAD_KEY": key,
                ])
            let error = await #expect(throws: (any Error).self) {
                try await worker.work(
                    at: hub, onReady: { throw Begun() }, onReplaced: { Issue.record($0) })
            }
            guard !isRight else {
                #expect(error is Begun)
                continue
            }
            // The configuration is wrong, so waiting does not help.
            #expect((error as? StoreError)?.disposition == .configuration)
            guard case .wrongPayloadKey = error as? StoreError else {
                Issue.record("It ended with \(String(describing: error)).")
                continue
            }
        }
        #expect(try await sharing.workers(on: run.id).isEmpty)
        #expect(try await store.peopleTried(run.id) == 0)
        try store.close()
    }
}
