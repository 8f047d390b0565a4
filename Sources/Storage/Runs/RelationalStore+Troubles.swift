import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func recordTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool {
        let length = Int64(interval / .milliseconds(1))
        // This is called every minute and usually writes nothing.
        let isTold = try await query { db in
            try db.hasRow(
                "SELECT 1 FROM troubles WHERE key = ?1 AND digest = ?2 AND abs(?3 - told) < ?4",
                [key, digest, now, length])
        }
        if isTold { return false }
        return try await update { db in
            // If there are several simultaneous callers, the first one writes; the others wait, see
            // its row, and write nothing.
            try db.run(
                """
                INSERT INTO troubles AS known (key, digest, told) VALUES (?1, ?2, ?3)
                ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, told = excluded.told
                    WHERE known.digest <> excluded.digest
                        OR abs(excluded.told - known.told) >= ?4
                """, [key, digest, now, length]) > 0
        }
    }

    package func reportedTroubles() async throws -> Set<String> {
        try await query { db in Set(try db.rows("SELECT key FROM troubles") { try $0.text(0) }) }
    }

    package func forgetTroubles(about keys: Set<String>) async throws {
        guard !keys.isEmpty else { return }
        try await update { db in
            for key in keys { try db.run("DELETE FROM troubles WHERE key = ?1", [key]) }
        }
    }
}
