package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func untold(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [SentMessage] {
        try await query { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            // The inner query looks each up by its key, even on a server that does not know yet how
            // many rows there are.
            return try db.rows(
                """
                SELECT number, hub_message FROM deliveries d
                WHERE run = ?1 AND platform = ?2 AND number > ?3
                    AND state = \(Outcome.accepted.stored) AND hub_message IS NOT NULL
                    AND (SELECT told FROM telemetry t
                        WHERE t.run = ?1 AND t.platform = ?2 AND t.number = d.number) IS NULL
                ORDER BY number LIMIT ?4
                """, [stored.key, found.position, number, limit]
            ) { row in
                SentMessage(platform: platform, number: try row.int(0), id: try row.text(1))
            }
        }
    }

    package func record(
        _ fates: [(message: SentMessage, fate: MessageFate)], of run: RunID, at time: Date
    ) async throws {
        guard fates.contains(where: { $0.fate != .unknown }) else { return }
        try await update { db in
            // A deletion of the run's deliveries waits for this, or this sees it.
            try db.lock(.receipts, "\(StoredRun(of: run, db).key)", isShared: true)
            let stored = try StoredRun(withDeliveries: run, db)
            let rows = try fates.filter { $0.fate != .unknown }.map { message, fate in
                let text: String? = if case .ended(let text) = fate { text } else { nil }
                let found = try RunPlatform.find(message.platform, of: stored, id: run, db)
                return (platform: found.position, number: message.number, fate: text)
            }
            // In order, so that two writers do not wait for each other; the first message stays.
            for row in rows.sorted(by: { ($0.platform, $0.number) < ($1.platform, $1.number) }) {
                try db.run(
                    """
                    INSERT INTO telemetry (run, platform, number, fate, told)
                    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING
                    """,
                    [stored.key, row.platform, row.number, row.fate, StoredTime.milliseconds(time)])
            }
        }
    }
}
