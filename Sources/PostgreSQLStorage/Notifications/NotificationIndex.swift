import PostgreSQLClient

/// By which ids a run's notifications are found; only what is in it can be fetched.
enum NotificationIndex {
    /// Makes all notifications of a run be found, in the transaction that ends its staging.
    ///
    /// In the order of the ids, which are random: so each page of the index is written once.
    static func fill(run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            INSERT INTO notification_ids (id, run, number)
            SELECT id, run, number FROM notifications WHERE run = $1 ORDER BY id
            """, [run])
    }

    /// Makes notifications be found no more; before their rows are deleted, which say what their ids are.
    static func clear(run: Int64, numbers: ClosedRange<Int>, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            DELETE FROM notification_ids i USING notifications n
            WHERE n.run = $1 AND n.number BETWEEN $2 AND $3 AND i.id = n.id AND i.run = $1
            """, [run, numbers.lowerBound, numbers.upperBound])
    }
}
