package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func followable(
        campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> [RunRecord] {
        try await query { db in
            // The first conditions match the index of fetchable runs.
            try db.rows(
                """
                \(RunRow.selection(db.dialect))
                WHERE \(StoredRun.isFetchable) AND expires > ?1 AND hub = ?2 AND campaign = ?3
                    AND NOT is_rehearsal
                    AND \(db.dialect.requests) > coalesce(fallback_requests, 0)
                ORDER BY started, key
                """, [now, hub.description, campaign], RunRow.record)
        }
    }

    package func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool {
        try await query { db in
            let stored = try StoredRun(of: run, db)
            // The search starts at the end, where the accepted deliveries of a run that has just
            // ended are found immediately.
            return try db.hasRow(
                """
                SELECT 1 FROM deliveries
                WHERE run = ?1 AND state = \(Outcome.accepted.stored)
                    AND (?2 IS NULL OR recorded > ?2)
                ORDER BY platform DESC, number DESC LIMIT 1
                """, [stored.key, time])
        }
    }

    package func isFetched(_ run: RunID) async throws -> Bool {
        try await query { db in
            let stored = try StoredRun(of: run, db)
            return try db.hasRow(
                "SELECT 1 FROM receipts WHERE run = ?1 AND fetched IS NOT NULL LIMIT 1",
                [stored.key])
        }
    }
}

extension StoredRun {
    /// Runs whose notifications can be fetched until they expire; the index of these runs has the
    /// same condition.
    package static let isFetchable = """
        revoked IS NULL AND kind <> '\(CampaignKind.alert.rawValue)'
            AND state <> '\(RunState.staging.rawValue)'
        """
}
