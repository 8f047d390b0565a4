import CampaignCore
import GRDB

extension SQLiteStore {
    /// Fills the tree by which ids are looked up.
    ///
    /// Ids are random. Put in as they come, each would touch a page of its own; sorted before, in a temporary table, neighbours share one.
    func indexNotifications(of run: RunID) async throws {
        // Outside of a transaction: sorting a million ids takes a while, and nobody else's writes shall wait for it.
        let count = try await pool.uninterruptedWriteWithoutTransaction(place) { db in
            let key = try RunKey(staging: run, db)
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.sorted_ids;
                    CREATE TEMP TABLE sorted_ids (
                        position INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER NOT NULL);
                    """)
            try db.execute(
                sql: """
                    INSERT INTO temp.sorted_ids (id, number)
                    SELECT id, number FROM notifications WHERE run = ? ORDER BY id
                    """,
                arguments: [key.value])
            return db.changesCount
        }
        for first in stride(from: 1, through: count, by: Self.transactionRows) {
            try await write { db in
                let key = try RunKey(staging: run, db)
                try db.cachedStatement(
                    sql: """
                        INSERT INTO notification_ids (id, run, number)
                        SELECT id, ?, number FROM temp.sorted_ids WHERE position BETWEEN ? AND ?
                        ORDER BY position
                        """
                ).execute(arguments: [key.value, first, first + Self.transactionRows - 1])
            }
        }
        try await write { db in try db.execute(sql: "DROP TABLE temp.sorted_ids") }
    }
}
