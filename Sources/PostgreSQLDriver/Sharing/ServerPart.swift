import CampaignCore
import PostgreSQLClient
import Storage
import Synchronization

/// A process's part in a run, and the ledger for it: what it claims is its own.
///
/// Its calls wait for a server that is away.
struct ServerPart: RunPart {
    /// What the process remembers of its part.
    final class Memory: Sendable {
        /// The number of the last page, from 1.
        let lastSerial = Atomic<Int>(0)
        /// The last rate it received, in requests per second; nil if none yet.
        let told = Mutex<Double?>(nil)
    }

    let store: PostgreSQLStore
    let runID: RunID
    /// The run's.
    let key: Int64
    /// Tells the part from other parts of the run.
    let member: Int64
    /// ``serverStart`` where the part was joined.
    let server: String
    let lease: RunLease?
    let memory = Memory()

    var ledger: any SendingLedger { self }

    /// The start time of the server, as text, which differs after a failover; as SQL.
    static let serverStart = "pg_postmaster_start_time()::text"

    /// Makes the server end a transaction that is idle for two seconds.
    ///
    /// A suspended or cut off process would make others wait for its locks.
    static let haste = "set_config('idle_in_transaction_session_timeout', '2000', true)"

    /// Checks that the part is not lost, and that nobody takes it over before the transaction ends.
    ///
    /// It does not wait for a renewal of the part, which changes no key.
    func hold(_ db: PostgreSQLConnection) throws {
        let row = try db.row(
            """
            SELECT \(Self.haste) FROM run_members WHERE run = $1 AND member = $2 FOR KEY SHARE
            """, [key, member])
        guard row != nil else { throw lost() }
    }

    /// Ends the lease, since others have taken over.
    func lost() -> RunPartLost {
        lease?.extend(until: .now)
        return RunPartLost(runID)
    }

    func leave() async throws {
        lease?.extend(until: .now)
        try await write(isHeld: false) { db in
            try RunMember.end(of: key, where: "member = $2", with: [member], db)
        }
    }
}

extension ServerPart: RelationalStore, SendingLedger {
    var keyring: PayloadKeyring { store.keyring }

    func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await store.rideOut.run { try await store.query(isLong: isLong, body) }
    }

    func update<Value: Sendable>(
        isOfRun: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write { try body($0) }
    }

    /// Writes nothing once the part is lost; the body may run again even after a commit whose
    /// answer was lost.
    ///
    /// `despiteCancellation` lets a cancelled task wait too. `isHeld` is false for callers that
    /// check the part's row themselves.
    @discardableResult
    func write<Value: Sendable>(
        despiteCancellation: Bool = false, isHeld: Bool = true,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await store.rideOut.run(despiteCancellation: despiteCancellation) {
            // Without the campaign's lock: the part's own row says whether it may write.
            try await store.transaction(.write) { db in
                if isHeld { try hold(db) }
                return try body(db)
            }
        }
    }

    /// The same, for a body that must not do twice what an earlier try of it has committed; it gets
    /// what that returned.
    func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (_ earlier: Value?, PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        let latest = Mutex<Value?>(nil)
        return try await write { db in
            let value = try body(latest.withLock(\.self), db)
            latest.withLock { $0 = value }
            return value
        }
    }
}

extension PostgreSQLStore {
    /// The longest time that a crashed server may have forgotten, and a busy machine's delay.
    private static let mostForgotten = Duration.seconds(2)
    /// The longest time to send without the server: unrecorded results are sent again if the part
    /// is lost.
    private static let mostUnheard = Duration.seconds(3)

    /// How long a process may send for its part after it began to renew it: less than the lease,
    /// and only a few beats.
    ///
    /// A renewal does not wait for the server's disk, so a crashed server may return with an
    /// earlier one.
    var heldLease: Duration { min(Self.mostUnheard, lease - min(Self.mostForgotten, lease / 5)) }
}
