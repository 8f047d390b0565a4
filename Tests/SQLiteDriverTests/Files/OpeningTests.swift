import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct OpeningTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Every commit is synced to disk") func everyCommitIsSyncedToDisk() throws {
        let store = try SQLiteStore.open(at: path)
        let settings = try store.pool.writeWithoutTransaction { db in
            try ["synchronous", "foreign_keys", "journal_mode"]
                .map { try String.fetchOne(db, sql: "PRAGMA \($0)") }
        }
        #expect(settings == ["2", "1", "wal"])
    }

    @Test("Saved data is still there when the store is reopened")
    func savedDataIsStillThereWhenTheStoreIsReopened() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        try store.close()
        let again = try SQLiteStore.open(at: path)
        #expect(try await again.run(Samples.runID()) == Samples.run())
    }

    @Test("Commits survive a process that never closed the store")
    func commitsSurviveAProcessThatNeverClosedTheStore() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        // The files as they are on disk, without the writer's memory.
        let copy = folder.file("copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let reader = try SQLiteStore.openForReading(at: copy)
        #expect(try await reader.run(Samples.runID()) == Samples.run())
        try reader.close()
        let recovered = try SQLiteStore.open(at: copy)
        #expect(try await recovered.run(Samples.runID()) == Samples.run())
    }

    @Test("Processes that open a new store at the same time create one store")
    func processesThatOpenANewStoreAtTheSameTimeCreateOneStore() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for letter in "abcdefgh" {
                group.addTask {
                    let store = try SQLiteStore.open(at: path)
                    try await store.begin(Samples.run("aaaaa\(letter)", campaign: "c-\(letter)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await SQLiteStore.open(at: path).runs(campaign: nil, limit: 99).count == 8)
    }

    @Test("Opening for reading does not create a store")
    func openingForReadingDoesNotCreateAStore() throws {
        #expect(throws: StoreError.notFound(place)) {
            try SQLiteStore.openForReading(at: path)
        }
        let missing = folder.file("missing/store.sqlite")
        #expect(throws: StoreError.notFound(.store(path: missing))) {
            try SQLiteStore.openForReading(at: missing)
        }
        #expect(try folder.contents() == [])
    }

    @Test("An empty file is treated as a store without runs")
    func emptyFileIsTreatedAsAStoreWithoutRuns() async throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(throws: StoreError.notFound(place)) {
            try SQLiteStore.openForReading(at: path)
        }
        let store = try SQLiteStore.open(at: path)
        #expect(try await store.runs(campaign: nil, limit: 1).isEmpty)
    }

    @Test("A store opened for reading cannot be changed")
    func storeOpenedForReadingCannotBeChanged() async throws {
        let writer = try SQLiteStore.open(at: path)
        try await writer.begin(Samples.run())
        let reader = try SQLiteStore.openForReading(at: path)
        #expect(try await reader.run(Samples.runID()) == Samples.run())
        await #expect(throws: StoreError.readOnly(place)) {
            try await reader.requestStop(Samples.runID(), .resumable)
        }
    }

    @Test("A store from a newer version is refused and left unchanged", arguments: [true, false])
    func storeFromANewerVersionIsRefusedAndLeftUnchanged(isForReading: Bool) throws {
        try SQLiteStore.open(at: path).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
        }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.newerVersion(place)) {
            _ =
                isForReading
                ? try SQLiteStore.openForReading(at: path) : try SQLiteStore.open(at: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("Opening an older store migrates it", arguments: [true, false])
    func openingAnOlderStoreMigratesIt(isRead: Bool) throws {
        try SQLiteStore.open(at: path).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for table in [
                "run_sums", "troubles", "telemetry", "wave_claims", "run_waves", "forgotten",
                "schedules",
                "progress", "registrations", "payload_key", "receipts",
                "deliveries",
                "notification_ids",
                "notifications", "contents", "recipients",
                "run_platforms", "runs",
            ] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
            try db.execute(sql: "DELETE FROM grdb_migrations; CREATE TABLE earlier (a)")
        }
        try queue.close()
        if !isRead { try SQLiteStore.open(at: path).close() }
        try SQLiteStore.openForReading(at: path).close()
    }

    @Test("Another program's database is refused and left unchanged")
    func anotherProgramsDatabaseIsRefusedAndLeftUnchanged() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE songs (title)") }
        try queue.close()
        try folder.setMode(0o600, of: "store.sqlite")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.notAStore(place)) { try SQLiteStore.open(at: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("A text file is not accepted as a store") func textFileIsNotAcceptedAsAStore() throws {
        let text = Data(String(repeating: "not a database\n", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.notAStore(place)) { try SQLiteStore.open(at: path) }
        #expect(throws: StoreError.notAStore(place)) {
            try SQLiteStore.openForReading(at: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test("A value that hubsend never writes is reported as damage")
    func valueThatHubsendNeverWritesIsReportedAsDamage() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        try await store.pool.write { try $0.execute(sql: "UPDATE runs SET state = 'dreaming'") }
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.runs(campaign: nil, limit: 10)
        }
    }

    @Test("A damaged store is reported as damaged")
    func damagedStoreIsReportedAsDamaged() async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(Samples.names(2_000))
        try store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // All pages but the first, which contains the schema's root.
        bytes.replaceSubrange(8192..., with: Data(repeating: 0xA5, count: bytes.count - 8192))
        try bytes.write(to: URL(fileURLWithPath: path))
        await #expect(throws: StoreError.corrupt(place)) {
            _ = try await SQLiteStore.open(at: path).runs(campaign: nil, limit: 10)
        }
    }
}
