import CampaignCore
import FoundationEssentials
import GRDB
import TestSupport
import Testing

@testable import Storage

@Suite(.bounded) struct PurgeTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func whoReadsTheLogTakesNoCountsFromAPurge() async throws {
        let options = StoreOptions(busyTimeout: .milliseconds(20))
        let store = try SQLiteStore.open(at: path, options: options)
        try await StoreUnderTest { store }.stage(Samples.names(3))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM runs")
        }
        let counts = try await store.purge(at: Samples.start + 604_800, isDryRun: false)
        #expect(counts == PurgeCounts(notifications: 1, bytes: 13))
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    }
}
