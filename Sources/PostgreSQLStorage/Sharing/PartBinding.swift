import CampaignCore
import PostgreSQLClient
import Synchronization

/// Binds a ledger to a part in a run.
struct PartBinding: Sendable {
    /// The run's id.
    let run: RunID
    /// The run's key.
    let key: Int64
    /// Tells the part from other parts of the run.
    let member: Int64
    /// When the server that the part was joined at was started; that tells it from other servers.
    let server: String
    /// Ends when the part is found to be lost.
    let lease: RunLease
    /// Numbers the pages that the part claims.
    let serials = PageSerials()

    /// An expression that has the server end a transaction in which nothing happens for two seconds.
    ///
    /// A process that stands still, or is cut off, would make others wait for its locks. In a working process, the next statement
    /// follows soon.
    static let haste = "set_config('idle_in_transaction_session_timeout', '2000', true)"

    /// Makes sure that the part is not lost, and that nobody takes it over before the transaction ends.
    ///
    /// Every transaction that writes for the part begins with this. It does not wait for a renewal of the part, which changes no key.
    ///
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

/// Numbers the pages of one part, from 1.
final class PageSerials: Sendable {
    private let last = Atomic<Int>(0)

    /// The next number, taken once for each page, before the first try to claim the page.
    func next() -> Int {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
