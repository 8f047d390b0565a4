import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct TroubleTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A full disk loses no saved data") func fullDiskLosesNoSavedData() async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(maximumPages: 60))
        let run = Samples.run()
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        let names = Samples.names(20_000)
        try await store.append(names[..<100].map { StagedRecipient(username: $0) }, to: run.id)
        await #expect(throws: StoreError.diskFull(place)) {
            try await store.append(names[100...].map { StagedRecipient(username: $0) }, to: run.id)
        }
        // The first transaction may have succeeded; no transaction is half done.
        let again = try SQLiteStore.open(at: path)
        let count = try await again.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM recipients") ?? 0
        }
        #expect(count % TransactionLimit.rows == 100)
        try await again.clearStaging(run.id)
        try await again.finishStaging(run.id, counts: AudienceCounts())
    }

    @Test("Others can read while an interrupted staging is removed")
    func othersCanReadWhileAnInterruptedStagingIsRemoved() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let run = Samples.run()
        let names = Samples.names(12_000)
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(names.map { StagedRecipient(username: $0) }, to: run.id)
        try await withThrowingTaskGroup { group in
            group.addTask { try await store.clearStaging(run.id) }
            group.addTask {
                for _ in 0..<10 { try await test.read(run, for: names) }
            }
            try await group.waitForAll()
        }
    }

    /// SQLite reports this error if it can open a file next to the store only for reading, whatever
    /// the reason.
    @Test("A failing disk or a forbidden write is not reported as read-only")
    func failingDiskOrAForbiddenWriteIsNotReportedAsReadOnly() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        try await store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        let failed = StoreError.unwritable(place)
        await #expect(throws: failed) { try await store.clearStaging(Samples.runID()) }
        #expect(failed.disposition == .tryAgain)
        #expect(
            failed.description.contains("the disk failed, or the system forbids writing there."))
        try await store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try await store.clearStaging(Samples.runID())
    }

    @Test("Errors never show stored values") func errorsNeverShowStoredValues() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run(campaign: "secret-campaign")
        try await store.begin(run)
        try await store.finishStaging(run.id, counts: AudienceCounts())
        let error = await #expect(throws: StoreError.self) {
            try await store.begin(
                Samples.run(campaign: "secret-campaign", occurrence: .again(Samples.runID())))
        }
        let text = try #require(error).description
        #expect(text.contains("runs.id"))
        #expect(!text.contains("secret-campaign"))
        #expect(!text.contains(Samples.runID().text))
    }

    @Test(
        "SQLite's result codes become errors with a remedy",
        arguments: [
            (ResultCode.SQLITE_BUSY, StoreError.Disposition.tryAgain), (.SQLITE_FULL, .tryAgain),
            (.SQLITE_IOERR_WRITE, .tryAgain), (.SQLITE_READONLY, .configuration),
            (.SQLITE_READONLY_DBMOVED, .configuration), (.SQLITE_CORRUPT, .configuration),
            (.SQLITE_NOTADB, .configuration), (.SQLITE_CANTOPEN, .configuration),
            (.SQLITE_NOMEM, .tryAgain), (.SQLITE_IOERR_NOMEM, .tryAgain),
            (.SQLITE_CONSTRAINT_UNIQUE, .bug),
        ])
    func sQLitesResultCodesBecomeErrorsWithARemedy(
        code: ResultCode, disposition: StoreError.Disposition
    ) {
        let error = StoreError(DatabaseError(resultCode: code), at: place)
        #expect(error.disposition == disposition)
        #expect(error.description.contains(path))
        #expect(error.description.hasSuffix("."))
    }
}
