import CampaignCore
import PostgreSQLClient
import Synchronization

/// Binds a ledger to a part in a run.
struct PartBinding: Sendable {
    /// The run's id.
    let run: RunID
    /// The run's key.
    let key: Int64
    /// What tells the part from others of the run.
    let member: Int64
    /// When the server was started that the part was joined at, which tells it from others.
    let server: String
    /// Ends when the part is found to be lost.
    let lease: RunLease
    /// Numbers the pages that the part claims.
    let serials = PageSerials()

    /// An expression that has the server end the transaction of a process that stands still in it, or is cut off: others may wait
    /// for its locks, and none of its statements is far from the next.
    static let haste = "set_config('idle_in_transaction_session_timeout', '2000', true)"

    /// Makes sure that the part is not lost, and that nobody takes it over before the transaction ends.
    ///
    /// Every transaction that writes for the part begins with it. Whoever renews the part changes no key, and is waited for by nobody.
    /// - Parameter db: the connection, in a transaction that writes.
    /// - Throws: `RunPartLost`.
    func hold(_ db: PostgreSQLConnection) throws {
        let row = try db.row(
            """
            SELECT \(Self.haste) FROM run_members WHERE run = $1 AND member = $2 FOR KEY SHARE
            """, [key, member])
        guard row != nil else { throw lost() }
    }

    /// Ends the lease, since others have taken over.
    ///
    /// - Returns: the error that says so.
    func lost() -> RunPartLost {
        lease.extend(until: .now)
        return RunPartLost(run)
    }
}

/// Gives the pages of one part their numbers, from 1.
final class PageSerials: Sendable {
    private let last = Atomic<Int>(0)

    /// The next number; it is asked for once for each page, before the first try to claim it.
    func next() -> Int {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
