import PostgreSQLClient
import Storage

extension TransactionLock {
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
}
