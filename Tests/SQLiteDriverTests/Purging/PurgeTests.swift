import CampaignCore
import Foundation
import GRDB
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct PurgeTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A purge returns its counts even if a reader blocks the log")
    func purgeReturnsItsCountsEvenIfAReaderBlocksTheLog() async throws {
        let options = StoreOptions(busyTimeout: .milliseconds(20))
        let store = try SQLiteStore.open(at: path, options: options)
        try await StoreUnderTest { store }.stage(Samples.names(3))
        let reader = try readingTransaction()
        let counts = try await store.purge(at: Samples.start + 604_800, isDryRun: false)
        #expect(counts == PurgeCounts(notifications: 1, bytes: 13))
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    }

    @Test("Others can write while a purge waits for a reader of the log")
    func othersCanWriteWhileAPurgeWaitsForAReaderOfTheLog() async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(busyTimeout: .seconds(5)))
        try await StoreUnderTest { store }.stage(Samples.names(3))
        // This store waits for less time than the purge.
        let other = try SQLiteStore.open(at: path, options: StoreOptions(busyTimeout: .seconds(4)))
        let reader = try readingTransaction()
        let isOver = Atomic(false)
        async let purged: Void = {
            defer { isOver.store(true, ordering: .relaxed) }
            _ = try await store.purge(at: Samples.start, isDryRun: false)
        }()
        while !isOver.load(ordering: .relaxed) {
            try await other.write { db in
                try db.execute(sql: "UPDATE progress SET saved = saved")
            }
        }
        try await purged
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    }

    private static let later = Samples.start + 604_801

    /// A store with a run whose payload fills some two hundred and fifty pages.
    private func storeWithALargePayload(isOld: Bool = false) async throws -> SQLiteStore {
        if isOld {
            try SQLiteStore.open(at: path).close()
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA auto_vacuum = NONE; VACUUM")
            }
            try queue.close()
        }
        let store = try SQLiteStore.open(at: path)
        let content = [UInt8](repeating: 7, count: 1_000_000)
        let file = PayloadFile(path: "a.bin", mediaType: "image/png", bytes: content)
        try await StoreUnderTest { store }
            .stage(Samples.names(3), notification: Samples.notification(content: .file(file)))
        return store
    }

    private func vacuumMode() throws -> Int? {
        try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") }
    }

    @Test("The file shrinks by the space that a purge frees", arguments: [false, true])
    func fileShrinksByTheSpaceThatAPurgeFrees(isOld: Bool) async throws {
        let store = try await storeWithALargePayload(isOld: isOld)
        #expect(try vacuumMode() == (isOld ? 0 : 2))
        let nothing = try await store.giveSpaceBack()
        #expect(nothing == StoreSpace())
        _ = try await store.purge(at: Self.later, isDryRun: false)
        let before = try StoreFiles(path: path, owner: geteuid()).size()
        let written = Mutex<[Int]>([])
        let space = try await store.giveSpaceBack(isBrief: false) { bytes in
            written.withLock { $0.append(bytes) }
        }
        #expect(space.given > 900_000)
        #expect(space.kept == 0)
        #expect(written.withLock { $0.count } == (isOld ? 1 : 0))
        let after = try StoreFiles(path: path, owner: geteuid()).size()
        #expect(before - after == space.given)
        try store.close()
        let later = try SQLiteStore.open(at: path)
        try await later.verify(Samples.runID())
        #expect(try await later.giveSpaceBack() == StoreSpace())
        #expect(try vacuumMode() == 2)
    }

    @Test(
        "No freed space is reported while a reader is still using the old pages",
        arguments: [false, true])
    func noFreedSpaceIsReportedWhileAReaderIsStillUsingTheOldPages(isOld: Bool) async throws {
        let first = try await storeWithALargePayload(isOld: isOld)
        _ = try await first.purge(at: Self.later, isDryRun: false)
        try first.close()
        let before = try StoreFiles(path: path, owner: geteuid()).size()
        let store = try SQLiteStore.open(
            at: path, options: StoreOptions(busyTimeout: .milliseconds(20)))
        let reader = try readingTransaction()
        #expect(try await store.giveSpaceBack() == StoreSpace())
        try #expect(StoreFiles(path: path, owner: geteuid()).size() >= before)
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        try reader.close()
        try store.close()
        try #expect(StoreFiles(path: path, owner: geteuid()).size() < before - 900_000)
        try SQLiteStore.open(at: path).close()
    }

    @Test("Pages of a damaged file are not moved")
    func pagesOfADamagedFileAreNotMoved() async throws {
        let store = try await storeWithALargePayload()
        _ = try await store.purge(at: Self.later, isDryRun: false)
        // A page of a large table, which opening the store does not read.
        let root = try await store.read { db in
            try Int.fetchOne(
                db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'registrations'")
        }
        try store.close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[try #require(root) * 4_096 - 4_096] = 0
        try bytes.write(to: URL(filePath: path))
        let damaged = try SQLiteStore.open(at: path)
        await #expect(throws: StoreError.corrupt(place)) { try await damaged.giveSpaceBack() }
        let pages = try await damaged.read { try Int.fetchOne($0, sql: "PRAGMA page_count") }
        #expect(pages == bytes.count / 4_096)
    }

    /// Only the header says whether there are pointer-map pages; SQLite would overwrite them.
    @Test("A contradictory file header is reported as damage", arguments: [false, true])
    func contradictoryFileHeaderIsReportedAsDamage(isOld: Bool) async throws {
        try await storeWithALargePayload(isOld: isOld).close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        for place in [55, 67] { bytes[place] = isOld ? 9 : 0 }
        try bytes.write(to: URL(filePath: path))
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
    }

    @Test("A secret stored by an earlier version is listed with its real size")
    func secretStoredByAnEarlierVersionIsListedWithItsRealSize() async throws {
        let store = try SQLiteStore.open(at: path)
        let secret = Samples.notification(
            nil, type: nil, content: .text("sesame", mediaType: "text/plain"))
        try await StoreUnderTest { store }
            .stage(Samples.names(3), of: Samples.run(kind: .secure), notification: secret)
        try await store.pool.write { db in
            try db.execute(sql: "UPDATE notifications SET byte_count = NULL")
        }
        let list = try await store.overviews(run: nil, after: nil, limit: 9)
        #expect(list.map(\.byteCount) == [6])
    }
}
