import CampaignCore
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

protocol StoreFileSuite {
    /// Must be empty when a test begins.
    var folder: TemporaryFolder { get }
}

extension StoreFileSuite {
    var path: String { folder.file("store.sqlite") }

    var place: StoreComponent { .store(path: path) }

    /// A connection in the middle of a transaction, like that of another process.
    func transaction(_ statements: String...) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            for statement in statements { try db.execute(sql: statement) }
        }
        return queue
    }

    /// A connection that reads the store as it is now.
    func readingTransaction() throws -> DatabaseQueue {
        try transaction("BEGIN", "SELECT count(*) FROM runs")
    }

    /// A run of nine people: three have an outcome, one waits and one is in doubt.
    func halfDone() async throws -> SQLiteStore {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stage(Samples.names(9))
        try await test.accept(1...3, of: Samples.runID())
        _ = try await store.claimNext(Samples.runID(), platform: .apns, limit: 2)
        try await store.record(
            [Samples.record(4, .apns, .waiting)], requests: 1, of: Samples.runID())
        return store
    }

    /// Changes one or more rows as another program would.
    func damage(_ store: SQLiteStore, _ change: String) async throws {
        #expect(try await self.change("PRAGMA foreign_keys = OFF; \(change)") > 0)
    }

    /// Changes the file through a separate connection that updates no checksums; returns how many
    /// rows the last statement changed.
    @discardableResult
    func change(_ sql: String) async throws -> Int {
        let queue = try DatabaseQueue(path: path)
        let count = try await queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            return db.changesCount
        }
        try queue.close()
        return count
    }
}
