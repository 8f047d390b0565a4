package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func begin(_ run: RunRecord, expecting people: Int) async throws {
        try await write { db in
            let stopRequest = try Self.removeStaging(run.id, db)
            if !run.isRehearsal,
                try db.hasRow(
                    """
                    SELECT 1 FROM runs
                    WHERE NOT is_rehearsal AND hub = ?1 AND campaign = ?2 AND occurrence = ?3
                    """, [run.hub.description, run.campaign, run.occurrence.text])
            {
                throw StoreError.runExists(campaign: run.campaign, occurrence: run.occurrence)
            }
            let sums = ["recipients_digest", "notifications_digest", "deliveries_digest", "seal"]
            try RunRow.insert(
                run, [("stop_request", stopRequest)] + sums.map { ($0, 0) },
                platform: [("seal", 0)], db)
        }
    }

    /// Removes a run without recipients before it is staged again; returns the number of its stop
    /// request, or 0.
    private static func removeStaging(_ id: RunID, _ db: Database) throws -> Int {
        let found = try db.row(
            "SELECT key, stop_request FROM runs WHERE id = ?1 AND state = ?2",
            [id.text, RunState.staging.rawValue]
        ) { (key: try $0.int64(0), stopRequest: try $0.int(1)) }
        guard let (key, stopRequest) = found else { return 0 }
        try WaveRow.removeRows(of: key, db)
        try db.run("DELETE FROM run_platforms WHERE run = ?1", [key])
        try db.run("DELETE FROM runs WHERE key = ?1", [key])
        return stopRequest
    }
}
