import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct StoreHealthTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("An intact store reports its contents") func intactStoreReportsItsContents() async throws
    {
        let store = try await halfDone()
        try await store.issue(
            "1", to: Username(checked: "user-00001"), handle: nil, at: Samples.start)
        let health = try await store.check()
        #expect(health.damage == [])
        #expect(health.runs == 1)
        #expect(health.recipients == 9)
        #expect(health.outcomes == 4)
        #expect(health.registrations == 1)
    }

    @Test("A store whose header makes SQLite open it read-only is damaged", arguments: 0..<8)
    func storeWhoseHeaderMakesSQLiteOpenItReadOnlyIsDamaged(bit: Int) async throws {
        try await halfDone().close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[18] ^= 1 << bit
        try bytes.write(to: URL(filePath: path))
        if bytes[18] > 2 {
            #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
        } else {
            try await SQLiteStore.open(at: path).checkWrites()
        }
    }

    @Test("A purged run is not reported as damage")
    func purgedRunIsNotReportedAsDamage() async throws {
        let store = try await halfDone()
        _ = try await store.purge(at: Samples.start + 604_801, isDryRun: false)
        #expect(try await store.check().damage == [])
    }

    @Test(
        "The check reports rows that contradict each other",
        arguments: [
            ("DELETE FROM recipients WHERE number = 9", .run(Samples.runID())),
            ("DELETE FROM deliveries WHERE number = 2", .run(Samples.runID())),
            ("UPDATE notifications SET message = 'Ho'", .run(Samples.runID())),
            ("DELETE FROM notification_ids", .lostPayloads(Samples.runID())),
            (
                "INSERT INTO receipts (run, number) SELECT key, 12 FROM runs",
                .strangers(Samples.runID(), table: "receipts")
            ),
            (
                "INSERT INTO receipts (run, number) VALUES (99, 1)",
                .reference(from: "receipts", to: "runs")
            ),
            ("DELETE FROM contents", .reference(from: "notifications", to: "contents")),
        ] as [(String, StoreDamage)])
    func checkReportsRowsThatContradictEachOther(change: String, fault: StoreDamage) async throws {
        let store = try await halfDone()
        try await damage(store, change)
        let faults = try await store.check().damage
        #expect(faults.contains(fault), "\(faults)")
    }

    @Test(
        "The check reports runs with inconsistent waves",
        arguments: [
            ("DELETE FROM run_waves WHERE number = 2", .run(Samples.runID())),
            ("DELETE FROM wave_claims WHERE wave = 1", .run(Samples.runID())),
            (
                "UPDATE wave_claims SET claimed = 7 WHERE wave = 1",
                .strangers(Samples.runID(), table: "wave_claims")
            ),
            (
                "INSERT INTO wave_claims SELECT key, 9, 1, 1 FROM runs",
                .strangers(Samples.runID(), table: "wave_claims")
            ),
            (
                "INSERT INTO wave_claims VALUES (99, 1, 1, 1)",
                .reference(from: "wave_claims", to: "runs")
            ),
        ] as [(String, StoreDamage)])
    func checkReportsRunsWithInconsistentWaves(change: String, fault: StoreDamage) async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(inWavesOf: [5, 4])
        for wave in 1...2 {
            _ = try await store.claimNext(Samples.runID(), platform: .apns, wave: wave, limit: 2)
        }
        #expect(try await store.check().damage == [])
        try await damage(store, change)
        let faults = try await store.check().damage
        #expect(faults.contains(fault), "\(faults)")
    }

    @Test("The check reports problems found by SQLite")
    func checkReportsProblemsFoundBySQLite() async throws {
        let store = try await halfDone()
        try await store.pool.writeWithoutTransaction { db in
            // A table is missing from the schema, so that no table owns its page.
            try db.execute(
                sql: """
                    CREATE TABLE lost (a);
                    PRAGMA writable_schema = ON;
                    DELETE FROM sqlite_schema WHERE name = 'lost';
                    PRAGMA writable_schema = OFF;
                    PRAGMA schema_version = 1000000;
                    """)
        }
        let faults = try await store.check().damage
        let isTold = faults.contains { fault in
            if case .structure(let words) = fault { words.contains("never used") } else { false }
        }
        #expect(isTold, "\(faults)")
    }

    @Test("An older store is migrated only once") func olderStoreIsMigratedOnlyOnce() async throws {
        try SQLiteStore.open(at: path).close()
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table'
                        AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'
                    """)
            for table in tables { try db.execute(sql: "DROP TABLE \(table)") }
            try db.execute(sql: "DELETE FROM grdb_migrations; CREATE TABLE earlier (a)")
        }
        try queue.close()
        #expect(throws: StoreError.olderVersion(place)) {
            try SQLiteStore.openForReading(at: path, migrates: false)
        }
        try SQLiteStore.open(at: path).close()
        try SQLiteStore.openForReading(at: path, migrates: false).close()
    }

    @Test("Migration does not create a missing store")
    func migrationDoesNotCreateAMissingStore() throws {
        #expect(throws: StoreError.notFound(place)) { try SQLiteStore.openForReading(at: path) }
        #expect(try folder.contents() == [])
    }
}
