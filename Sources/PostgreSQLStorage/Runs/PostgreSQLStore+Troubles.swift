import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore: TroubleLedger {
    package func tellTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool {
        let time = StoredTime.milliseconds(now)
        let length = Int64(interval / .milliseconds(1))
        // Called each minute, usually without anything to write.
        let isTold = try await read { db in
            try db.row(
                "SELECT 1 FROM troubles WHERE key = $1 AND digest = $2 AND abs($3 - told) < $4",
                [key, digest, time, length]) != nil
        }
        if isTold { return false }
        return try await write { db in
            // Of several simultaneous hosts, the first writes; the others wait, see that, and write
            // nothing.
            try db.execute(
                """
                INSERT INTO troubles AS known (key, digest, told) VALUES ($1, $2, $3)
                ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, told = excluded.told
                    WHERE known.digest <> excluded.digest
                        OR abs(excluded.told - known.told) >= $4
                """, [key, digest, time, length]) > 0
        }
    }

    package func toldTroubles() async throws -> Set<String> {
        try await read { db in
            Set(try db.rows("SELECT key FROM troubles").map { try $0.text(0) })
        }
    }

    package func forgetTroubles(about keys: Set<String>) async throws {
        guard !keys.isEmpty else { return }
        try await write { db in
            try db.execute("DELETE FROM troubles WHERE key = ANY($1)", [Array(keys)])
        }
    }
}
