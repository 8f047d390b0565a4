package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func followable(
        campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> [RunRecord] {
        // Uses the index of fetchable runs; a fallback itself is not one.
        try await runs(
            """
            WHERE revoked IS NULL AND kind <> 'alert' AND state <> 'staging' AND expires > $1
                AND hub = $2 AND campaign = $3
                AND NOT is_rehearsal AND \(RunRow.requests) > coalesce(fallback_requests, 0)
            ORDER BY started, key
            """, [StoredTime.milliseconds(now), hub.description, campaign])
    }

    package func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            // From the end, where accepted deliveries are found at once while a run has just ended.
            return try db.row(
                """
                SELECT 1 FROM deliveries
                WHERE run = $1 AND state = \(Outcome.accepted.stored)
                    AND ($2::bigint IS NULL OR recorded > $2)
                ORDER BY platform DESC, number DESC LIMIT 1
                """, [stored.key, time.map(StoredTime.milliseconds)]) != nil
        }
    }

    package func isFetched(_ run: RunID) async throws -> Bool {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try db.row(
                "SELECT 1 FROM receipts WHERE run = $1 AND fetched IS NOT NULL LIMIT 1",
                [stored.key]) != nil
        }
    }
}
