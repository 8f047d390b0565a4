import CampaignCore
import PostgreSQLClient
import Synchronization

/// Binds a ledger to a part in a run.
struct PartBinding: Sendable {
    let run: RunID
    let key: Int64
    /// Tells the part from other parts of the run.
    let member: Int64
    /// The start time of the server where the part was joined, which identifies it.
    let server: String
    /// Ends when the part is found to be lost.
    let lease: RunLease
    let serials = PageSerials()

    /// Has the server end a transaction in which nothing happens for two seconds.
    ///
    /// A suspended or cut off process would make others wait for its locks.
    static let haste = "set_config('idle_in_transaction_session_timeout', '2000', true)"

    /// Checks that the part is not lost, and that nobody takes it over before the transaction ends.
    ///
    /// Every writing transaction of the part begins with this. It does not wait for a renewal of
    /// the part, which changes no key.
    func hold(_ db: PostgreSQLConnection) throws {
        let row = try db.row(
            """
            SELECT \(Self.haste) FROM run_members WHERE run = $1 AND member = $2 FOR KEY SHARE
            """, [key, member])
        guard row != nil else { throw lost() }
    }

    /// Ends the lease, since others have taken over.
    func lost() -> RunPartLost {
        lease.extend(until: .now)
        return RunPartLost(run)
    }
}

/// Numbers the pages of one part, from 1.
final class PageSerials: Sendable {
    private let last = Atomic<Int>(0)

    /// The next number, taken once for each page, before the first try to claim it.
    func next() -> Int {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
