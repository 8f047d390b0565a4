import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore: TroubleLedger {
    package func tellTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool {
        let time = StoredTime.milliseconds(now)
        let length = Int64(interval / .milliseconds(1))
        let isTold: @Sendable (Database) throws -> Bool = { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM troubles
                    WHERE key = ? AND digest = ? AND abs(? - told) < ?
                    """,
                arguments: [key, digest, time, length]) != nil
        }
        // Called each minute, usually without anything to write.
        guard try await !read(isTold) else { return false }
        return try await write { db in
            guard try !isTold(db) else { return false }
            try db.execute(
                sql: """
                    INSERT INTO troubles (key, digest, told) VALUES (?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, told = excluded.told
                    """,
                arguments: [key, digest, time])
            return true
        }
    }

    package func toldTroubles() async throws -> Set<String> {
        try await read { db in try String.fetchSet(db, sql: "SELECT key FROM troubles") }
    }

    package func forgetTroubles(about keys: Set<String>) async throws {
        guard !keys.isEmpty else { return }
        try await write { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM troubles WHERE key = ?")
            for key in keys { try statement.execute(arguments: [key]) }
        }
    }
}
