import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct BackupTests: StoreFileSuite {
    let folder: TemporaryFolder

    private var copy: String { folder.file("copy.sqlite") }
    private var copied: StoreComponent { .backup(path: copy) }

    init() throws { folder = try TemporaryFolder() }

    /// A store with a run for nine people.
    private func staged(isFinished: Bool = true) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(Samples.names(9))
        if isFinished {
            try await store.setState(
                .finished, reason: nil, of: Samples.runID(), at: Samples.start + 60)
        }
        return store
    }

    @Test("A backup is a complete store that only its owner can access")
    func backupIsACompleteStoreThatOnlyItsOwnerCanAccess() async throws {
        let store = try await staged()
        let size = try await store.backUp(to: copy)
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int == size)
        #expect(try folder.mode("copy.sqlite") == 0o600)
        #expect(!(try folder.contents()).contains { $0.contains(".tmp") })
        let backup = try SQLiteStore.openForReading(at: copy, migrates: false)
        #expect(try await backup.run(Samples.runID()) == store.run(Samples.runID()))
        #expect(try await backup.check().damage == [])
        try await backup.verify(Samples.runID())
    }

    @Test("An open transaction does not block a backup and is not part of it")
    func openTransactionDoesNotBlockABackupAndIsNotPartOfIt() async throws {
        let store = try await staged()
        let writer = try transaction("BEGIN IMMEDIATE", "UPDATE runs SET campaign = 'other'")
        _ = try await store.backUp(to: copy)
        try writer.inDatabase { try $0.execute(sql: "COMMIT") }
        let backup = try SQLiteStore.openForReading(at: copy)
        #expect(try await backup.run(Samples.runID())?.campaign == "spring-sale")
    }

    /// Continuing with the backup would send again to everybody who has been sent to since.
    @Test("A backup made during a run is not accepted as the store")
    func backupMadeDuringARunIsNotAcceptedAsTheStore() async throws {
        let store = try await staged(isFinished: false)
        _ = try await store.backUp(to: copy)
        #expect(throws: StoreError.logLost(.store(path: copy), mark: copy + ".mark")) {
            try SQLiteStore.open(at: copy)
        }
    }

    @Test("An existing backup is replaced only on request")
    func existingBackupIsReplacedOnlyOnRequest() async throws {
        let store = try await staged()
        try folder.write("mine", to: "copy.sqlite")
        await #expect(throws: StoreError.backupExists(copied)) { try await store.backUp(to: copy) }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
        try folder.write("", to: "copy.sqlite")
        for _ in 0..<2 { _ = try await store.backUp(to: copy, isReplacing: true) }
        try SQLiteStore.openForReading(at: copy).close()
    }

    @Test("A backup never replaces a file that is not a store")
    func backupNeverReplacesAFileThatIsNotAStore() async throws {
        let store = try await staged()
        let foreign = try DatabaseQueue(path: folder.file("foreign.sqlite"))
        try await foreign.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
        try foreign.close()
        try folder.write("campaign: spring\n", to: "spring.yaml")
        for name in ["foreign.sqlite", "spring.yaml"] {
            let path = folder.file(name)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            await #expect(throws: StoreError.notAStore(.backup(path: path))) {
                try await store.backUp(to: path, isReplacing: true)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test(
        "A backup never overwrites its own store or one of its files",
        arguments: ["", "-wal", "-shm", "-journal", ".mark", ".lock", ".key"])
    func backupNeverOverwritesItsOwnStoreOrOneOfItsFiles(suffix: String) async throws {
        let store = try await staged()
        await #expect(throws: StoreError.backupIsStore(.backup(path: path + suffix))) {
            try await store.backUp(to: path + suffix, isReplacing: true)
        }
        #expect(try await store.run(Samples.runID()) != nil)
    }

    @Test("A backup never overwrites another store in use")
    func backupNeverOverwritesAnotherStoreInUse() async throws {
        let store = try await staged()
        let other = try SQLiteStore.open(at: copy)
        await #expect(throws: StoreError.backupIsStore(copied)) {
            try await store.backUp(to: copy, isReplacing: true)
        }
        try other.close()
    }

    @Test("A backup that cannot be written leaves no files")
    func backupThatCannotBeWrittenLeavesNoFiles() async throws {
        let store = try await staged()
        let before = try folder.contents()
        await #expect(throws: StoreError.self) {
            try await store.backUp(to: folder.file("missing/copy.sqlite"))
        }
        #expect(try folder.contents() == before)
    }
}
