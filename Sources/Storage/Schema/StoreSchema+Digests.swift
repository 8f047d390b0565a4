import GRDB

extension StoreSchema {
    /// What tells damage: ``RunDigests``, ``RowSeal`` and ``StoreProgress``.
    ///
    /// The rows that are there get none.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    static func addDigests(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN recipients_digest INTEGER;
                ALTER TABLE runs ADD COLUMN notifications_digest INTEGER;
                ALTER TABLE runs ADD COLUMN deliveries_digest INTEGER;
                ALTER TABLE runs ADD COLUMN seal INTEGER;
                ALTER TABLE run_platforms ADD COLUMN seal INTEGER;
                """)
        try db.execute(sql: StoreProgress.table)
    }
}
