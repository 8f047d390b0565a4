package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func untold(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [SentMessage] {
        try await query { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            // The inner query looks up each row by its key, even on a server that does not know yet
            // how many rows there are.
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
        let known = fates.filter { $0.fate != .unknown }
        for first in stride(from: 0, to: known.count, by: TransactionLimit.rows) {
            let some = known[first...].prefix(TransactionLimit.rows)
            try await update { db in
                // A deletion of the run's deliveries either waits for this or is visible here.
                try db.lock(.receipts, "\(StoredRun(of: run, db).key)", isShared: true)
                let stored = try StoredRun(withDeliveries: run, db)
                let platforms = try RunPlatform.all(of: stored, db)
                let rows = try some.map { message, fate in
                    try ToldFate(
                        fate, of: message.number,
                        on: platforms.position(of: message.platform, in: run))
                }
                // The rows are in order, so that two writers do not wait for each other; the first
                // message is kept.
                try db.run(
                    """
                    INSERT INTO telemetry (run, platform, number, fate, told)
                    SELECT ?1, CAST(value ->> 'platform' AS bigint),
                        CAST(value ->> 'number' AS bigint), value ->> 'fate', ?2
                    FROM \(db.dialect.elements("?3"))
                    WHERE true ORDER BY 2, 3
                    ON CONFLICT DO NOTHING
                    """,
                    [stored.key, time, StoredJSON.encode(rows)])
            }
        }
    }
}

private struct ToldFate: Encodable {
    let platform: Int
    let number: Int
    let fate: String?

    init(_ fate: MessageFate, of number: Int, on platform: Int) {
        self.platform = platform
        self.number = number
        // PostgreSQL does not accept U+0000 in JSON, so texts contain U+0001 instead.
        self.fate =
            if case .ended(let text) = fate {
                String(text.unicodeScalars.filter { $0.value > 1 })
            } else {
                nil
            }
    }
}
