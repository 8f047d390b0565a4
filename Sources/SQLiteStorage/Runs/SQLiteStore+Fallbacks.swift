package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func followable(
        campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> [RunRecord] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "\(RunRow.selection) \(Self.following)")
            return try Row.fetchAll(
                statement,
                arguments: [StoredTime.milliseconds(now), hub.description, campaign]
            ).map(RunRow.record)
        }
    }

    package func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let statement = try db.cachedStatement(sql: Self.accepted)
            return try Int.fetchOne(
                statement, arguments: [stored.key, time.map(StoredTime.milliseconds)]) != nil
        }
    }

    package func isFetched(_ run: RunID) async throws -> Bool {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let statement = try db.cachedStatement(
                sql: "SELECT 1 FROM receipts WHERE run = ? AND fetched IS NOT NULL LIMIT 1")
            return try Int.fetchOne(statement, arguments: [stored.key]) != nil
        }
    }

    package func noteFallback(of run: RunID, requests: Int) async throws {
        try await save { db in
            let stored = try StoredRun(of: run, db)
            try db.execute(
                sql: """
                    UPDATE runs SET fallback_requests = max(coalesce(fallback_requests, 0), ?)
                    WHERE key = ?
                    """,
                arguments: [requests, stored.key])
            try RowSeal.renew(run: stored.key, db)
        }
    }

    /// Uses the index of fetchable runs; a fallback itself is not one.
    private static let following = """
        WHERE \(StoreSchema.isFetchable) AND expires > ?1 AND hub = ?2 AND campaign = ?3
            AND is_rehearsal = 0 AND requests > coalesce(fallback_requests, 0)
        ORDER BY started, key
        """

    /// From the end, where accepted deliveries are found at once while a run has just ended.
    private static let accepted = """
        SELECT 1 FROM deliveries
        WHERE run = ?1 AND state = \(Outcome.accepted.stored)
            AND (?2 IS NULL OR recorded > ?2)
        ORDER BY platform DESC, number DESC LIMIT 1
        """
}
