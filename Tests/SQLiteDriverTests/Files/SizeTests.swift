import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct SizeTests {
    @Test("A delivery takes at most 100 bytes") func deliveryTakesAtMost100Bytes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let count = 20_000
        let run = Samples.runID()
        var store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { [store] in store }
            .stage(Samples.names(count), of: Samples.run(platforms: [.fcm]))
        try store.close()
        let before = try size(path)
        store = try SQLiteStore.open(at: path)
        while true {
            let claims = try await store.claimNext(run, platform: .fcm, limit: 500)
            if claims.isEmpty { break }
            let records = claims.map {
                Samples.record(
                    $0.number, .fcm, .ended(.accepted),
                    hubMessage: "2460061235873428450-8069540341285325430")
            }
            try await store.record(records, requests: records.count, of: run)
        }
        try store.close()
        let bytes = try (size(path) - before) / count
        #expect(bytes <= 100)
    }

    @Test("A file shared by many people is stored once")
    func fileSharedByManyPeopleIsStoredOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore.open(at: path)
        let bytes = [UInt8](repeating: 7, count: 100_000)
        for suffix in ["aaaaaa", "bbbbbb"] {
            let run = Samples.run(suffix, campaign: suffix)
            try await store.begin(run)
            let file = PayloadFile(path: "a.bin", mediaType: "text/x-\(suffix)", bytes: bytes)
            try await store.append(
                Samples.names(50).map {
                    StagedRecipient(
                        username: $0, notification: Samples.notification(content: .file(file)))
                }, to: run.id)
        }
        let contents = try await store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM contents")
        }
        #expect(contents == 1)
    }

    /// The cost of queries made for each fetch or page must not grow with the store.
    @Test(
        "Lookups use an index",
        arguments: [
            (SQLiteStore.content, "SEARCH notification_ids USING PRIMARY KEY (id>?)"),
            (
                SQLiteStore.content,
                "SEARCH r USING COVERING INDEX recipients_by_name (run=? AND name=?) LEFT-JOIN"
            ),
            (SQLiteStore.outline, "SEARCH n USING PRIMARY KEY (run=? AND number=?)"),
            (NotificationOverview.listing, "SEARCH n USING PRIMARY KEY (run=? AND number>?)"),
            // One range, both in a wave and without waves.
            (
                PlatformDeliveries.claimable,
                "SEARCH r USING PRIMARY KEY (run=? AND number>? AND number<?)"
            ),
        ])
    func lookupsUseAnIndex(query: String, step: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        let plan = try await store.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
            // A query plan needs no values.
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan.contains(step))
        // The single row of a subquery may be scanned.
        #expect(!plan.contains { $0.contains("SCAN") && !$0.contains("SCALAR") && $0 != "SCAN i" })
        #expect(!plan.contains { $0.contains("TEMP B-TREE") })
    }

    /// Expired runs are never read, even if there are many.
    @Test("Runs with fetchable payloads are found by their expiry")
    func runsWithFetchablePayloadsAreFoundByTheirExpiry() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        let plan = try await store.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(InboxRuns.fetchable)", arguments: [0, 1]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.hasSuffix("INDEX runs_fetchable (expires>?)") })
        #expect(!plan.contains { $0.contains("SCAN") })
    }

    private func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }
}
