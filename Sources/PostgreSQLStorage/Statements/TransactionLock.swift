import CampaignCore
import PostgreSQLClient
import Storage

/// What only one transaction at a time may do, or several that say so, where there is no row to lock for it.
///
/// Taken before what it protects is read: a statement sees what was committed before it began. It ends with the transaction.
enum TransactionLock {
    /// Deciding whose a device is.
    case device(HandleDigest)
    /// Writing what people did with a run, or, alone, deciding that nothing is written of it any more.
    case receipts(run: Int64)

    private var name: String {
        switch self {
        case .device(let handle): "device \(Hexadecimal.text(handle.bytes))"
        case .receipts(let run): "receipts \(run)"
        }
    }

    /// Waits until nobody else has it.
    ///
    /// - Parameters:
    ///   - isShared: whether others may have it too, as long as all of them say so.
    ///   - db: the connection, in a transaction that writes.
    func take(isShared: Bool = false, _ db: PostgreSQLConnection) throws {
        let function = isShared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock"
        // Apart from those of other stores of the database; a clash of numbers only has somebody wait.
        try db.execute(
            "SELECT \(function)(hashtextextended(current_schema()::text || ' ' || $1, 0))",
            [name])
    }
}
