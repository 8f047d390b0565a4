import PostgreSQLClient

/// The index of ids; only notifications in it can be fetched.
enum NotificationIndex {
    /// Adds all notifications of a run, in the transaction that ends its staging.
    ///
    /// Ids are random, so they are sorted to write each page of the index once.
    static func fill(run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            INSERT INTO notification_ids (id, run, number)
            SELECT id, run, number FROM notifications WHERE run = $1 ORDER BY id
            """, [run])
    }
}
