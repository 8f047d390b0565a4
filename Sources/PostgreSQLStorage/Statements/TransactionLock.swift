import PostgreSQLClient

/// What only one transaction at a time may do, or several that say so, where no row can be locked for it.
///
/// Taken before what it protects is read: a statement sees what was committed before it began. It ends with the transaction.
enum TransactionLock: Int {
    /// Deciding whose a device's handle is.
    case deviceHandle = 1
    /// Writing a run's receipts, or deciding that there are no more.
    case receipts = 2
    /// Claiming under a cap on a platform of a hub.
    case pushes = 3
    /// Getting more of a run's rate.
    case rate = 4

    /// Keeps these locks apart from others on the same server.
    private static let family = 0x6875_6200

    /// Waits until nobody else has it, or has it for himself alone.
    ///
    /// - Parameters:
    ///   - name: of what, in this store; now and then two wait for each other that have different ones.
    ///   - isShared: whether others may have it too, as long as all of them say so.
    ///   - db: the connection, in a transaction that writes.
    func take(_ name: String, isShared: Bool = false, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            SELECT pg_advisory_xact_lock\(isShared ? "_shared" : "")(
                $1::int, hashtext(concat_ws(' ', current_schema(), $2)))
            """, [Self.family + rawValue, name])
    }

    /// Takes it unless somebody else has it.
    ///
    /// - Parameters:
    ///   - run: of which run: its key.
    ///   - db: the connection, in a transaction that writes.
    /// - Returns: whether it was taken.
    func takeIfFree(_ run: Int64, _ db: PostgreSQLConnection) throws -> Bool {
        let row = try db.row(
            """
            SELECT pg_try_advisory_xact_lock(
                $1::int, hashtext(concat_ws(' ', current_schema(), $2)))
            """, [Self.family + rawValue, "\(run)"])
        return try row?.bool(0) ?? false
    }

    /// Waits until nobody else has it, or has it for himself alone.
    ///
    /// - Parameters:
    ///   - run: of which run: its key.
    ///   - isShared: as above.
    ///   - db: the connection, in a transaction that writes.
    func take(_ run: Int64, isShared: Bool = false, _ db: PostgreSQLConnection) throws {
        try take("\(run)", isShared: isShared, db)
    }
}
