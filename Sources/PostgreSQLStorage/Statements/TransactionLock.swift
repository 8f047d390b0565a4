import PostgreSQLClient

/// What only one transaction may do, or several that share it, where no row can be locked.
///
/// It must be taken before reading what it protects, and ends with the transaction.
enum TransactionLock: Int {
    /// Deciding whose a device's handle is.
    case deviceHandle = 1
    /// Writing a run's receipts, or deciding that there are no more.
    case receipts = 2
    /// Claiming under a cap on a platform of a hub.
    case pushes = 3
    /// Getting more of a run's rate.
    case rate = 4

    /// Separates these locks from others on the same server.
    private static let family = 0x6875_6200

    /// Waits for the lock of a name; now and then different names share one.
    func take(_ name: String, isShared: Bool = false, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            SELECT pg_advisory_xact_lock\(isShared ? "_shared" : "")(
                $1::int, hashtext(concat_ws(' ', current_schema(), $2)))
            """, [Self.family + rawValue, name])
    }

    func takeIfFree(_ run: Int64, _ db: PostgreSQLConnection) throws -> Bool {
        let row = try db.row(
            """
            SELECT pg_try_advisory_xact_lock(
                $1::int, hashtext(concat_ws(' ', current_schema(), $2)))
            """, [Self.family + rawValue, "\(run)"])
        return try row?.bool(0) ?? false
    }

    func take(_ run: Int64, isShared: Bool = false, _ db: PostgreSQLConnection) throws {
        try take("\(run)", isShared: isShared, db)
    }

    /// Waits for the locks of several runs, which others may share.
    func share(_ runs: [Int64], _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            SELECT pg_advisory_xact_lock_shared(
                $1::int, hashtext(concat_ws(' ', current_schema(), u.run)))
            FROM unnest($2::bigint[]) AS u (run)
            """, [Self.family + rawValue, runs])
    }
}
