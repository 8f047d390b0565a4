package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func finishStaging(_ run: RunID, counts: AudienceCounts) async throws {
        try await indexNotifications(of: run)
        let isRehearsal = try await write(isOfRun: true) { db in
            try StoredRun(staging: run, db).finishStaging(run, counts, db)
            return try db.row("SELECT is_rehearsal FROM runs WHERE id = ?1", [run.text]) {
                try $0.bool(0)
            }
        }
        // From here on, losing the log cannot undo the staging; otherwise, the run would start
        // again with different ids.
        if isRehearsal == false { try await bringLogIn(isEmptied: false) }
    }

    /// Fills the index of ids; the ids are first sorted in a temporary table, because each random
    /// insert would touch a different page.
    private func indexNotifications(of run: RunID) async throws {
        // This is outside a transaction, because sorting a million ids takes a while, during which
        // others can write.
        let count = try await writeWithoutTransaction { db in
            let stored = try StoredRun(staging: run, db)
            // The table may be large; changing its location also drops the remains of an earlier
            // call.
            try db.execute(
                sql: """
                    PRAGMA temp_store = MEMORY; PRAGMA temp_store = FILE;
                    CREATE TEMP TABLE sorted_ids (
                        position INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER NOT NULL);
                    """)
            return try db.run(
                """
                INSERT INTO temp.sorted_ids (id, number)
                SELECT id, number FROM notifications WHERE run = ?1 ORDER BY id
                """, [stored.key])
        }
        for first in stride(from: 1, through: count, by: TransactionLimit.rows) {
            try await write { db in
                let stored = try StoredRun(staging: run, db)
                try db.run(
                    """
                    INSERT INTO notification_ids (id, run, number)
                    SELECT id, ?1, number FROM temp.sorted_ids WHERE position BETWEEN ?2 AND ?3
                    ORDER BY position
                    """, [stored.key, first, first + TransactionLimit.rows - 1])
            }
        }
        try await keepTemporaryFilesInMemory()
    }
}
