import CampaignCore
import PostgreSQLClient
import Storage
import Synchronization

/// A process's part in a run, which is also the ledger for the deliveries that the process claims.
///
/// Its calls wait if the server is unavailable.
struct ServerPart: RunPart {
    /// What the process remembers about its part.
    final class Memory: Sendable {
        /// The number of the last page; pages are numbered from 1.
        let lastSerial = Atomic<Int>(0)
        /// The last rate that the process was granted, in requests per second; nil if none yet.
        let told = Mutex<Double?>(nil)
    }

    let store: PostgreSQLStore
    let runID: RunID
    /// The key of the run.
    let key: Int64
    /// Identifies the part among those of the run.
    let member: Int64
    /// The ``serverStart`` of the server where the part was joined.
    let server: String
    let lease: RunLease?
    let memory = Memory()

    var ledger: any SendingLedger { self }

    /// The SQL for the server's start time as text, which differs after a failover.
    static let serverStart = "pg_postmaster_start_time()::text"

    /// Makes the server end a transaction that is idle for two seconds.
    ///
    /// Otherwise, a process that is suspended or cut off would make others wait for its locks.
    static let haste = "set_config('idle_in_transaction_session_timeout', '2000', true)"

    /// Checks that the part is not lost, and that nobody takes it over before the transaction ends.
    ///
    /// This does not wait for a renewal of the part, which changes no key.
    func hold(_ db: PostgreSQLConnection) throws {
        let row = try db.row(
            """
            SELECT \(Self.haste) FROM run_members WHERE run = $1 AND member = $2 FOR KEY SHARE
            """, [key, member])
        guard row != nil else { throw lost() }
    }

    /// Ends the lease, because others have taken over the part.
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
    /// With `despiteCancellation`, a cancelled task also waits. `isHeld` is false for callers that
    /// check the part's row themselves.
    @discardableResult
    func write<Value: Sendable>(
        despiteCancellation: Bool = false, isHeld: Bool = true,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await store.rideOut.run(despiteCancellation: despiteCancellation) {
            // The campaign's lock is not needed, because the part's own row shows whether the part
            // may write.
            try await store.transaction(.write) { db in
                if isHeld { try hold(db) }
                return try body(db)
            }
        }
    }

    /// Writes like `write`, for a body that must not repeat what an earlier try has committed; the
    /// body receives the result of that try.
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
    /// The longest period that a crashed server may have forgotten, plus the delay on a busy
    /// machine.
    private static let mostForgotten = Duration.seconds(2)
    /// How long a process may send without reaching the server; pushes with unrecorded results are
    /// sent again if the part is lost.
    private static let mostUnheard = Duration.seconds(3)

    /// How long a process may send after it began to renew its part: less than the lease, and only
    /// a few heartbeats.
    ///
    /// A renewal does not wait for the server's disk, so a server may return from a crash with an
    /// earlier renewal.
    var heldLease: Duration { min(Self.mostUnheard, lease - min(Self.mostForgotten, lease / 5)) }
}
