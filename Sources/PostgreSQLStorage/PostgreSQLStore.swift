import CampaignCore
import PostgreSQLClient
package import Storage

/// Keeps notifications, runs, deliveries and registrations on a PostgreSQL server, for any number of hosts.
///
/// Calls end what they began: a cancelled task loses nothing that was handed over. Times are the callers'; what decides between
/// hosts goes by the server's clock.
package struct PostgreSQLStore: Sendable {
    /// The most rows that one transaction writes, so that nobody else waits for long.
    static let transactionRows = 5_000

    let address: PostgreSQLAddress
    let pool: PostgreSQLPool
    let keyring: PayloadKeyring
    /// The most runs that one person's list is made from.
    let inboxRuns: Int
    /// Random, and tells the store from one that was made in its place.
    let identity: String
    /// The locks on campaigns that this process holds.
    let locks: HeldLocks
    /// For how long a process has its part in a run that it does not renew.
    let lease: Duration
    /// Waits for a server that is away, in the calls of a part in a run.
    let rideOut: RideOut
    /// Hears of runs that begin or go on.
    let listener = RunListener()
    /// Whether this process has just found the server again.
    let comeback = Comeback()
    /// The part in a run for which this is the ledger; nil: it is nobody's.
    var part: PartBinding?

    package var place: StorePlace { .server(address.description) }

    /// Reads in one transaction, of one state of the store.
    ///
    /// A ledger that is a part's waits for a server that is away.
    ///
    /// - Throws: ``StoreError``.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        guard part != nil else { return try await transaction(.read, body) }
        return try await rideOut.run(despiteCancellation: false) {
            try await transaction(.read, body)
        }
    }

    /// Writes in one transaction; durable when it returns.
    ///
    /// The body may run again, when the server asks for that. A ledger that is a part's writes nothing once the part is lost, and
    /// waits for a server that is away; then its body may run again, too, after a transaction that was committed, of which only the
    /// answer was lost.
    ///
    /// - Parameters:
    ///   - despiteCancellation: whether a task that is cancelled waits, too, for what would be lost otherwise.
    ///   - isHeld: whether a part is held; not for what looks at the part's row by itself.
    ///   - body: writes.
    /// - Throws: ``StoreError``; ``StoreError/connectionLost(_:)``, too, while a lock on a campaign is lost and not released;
    ///   `RunPartLost`.
    @discardableResult
    func write<Value: Sendable>(
        despiteCancellation: Bool = false, isHeld: Bool = true,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        if let part {
            // Not the locks: a part's own row says whether it may write.
            return try await rideOut.run(despiteCancellation: despiteCancellation) {
                try await transaction(.write) { db in
                    if isHeld { try part.hold(db) }
                    return try body(db)
                }
            }
        }
        try locks.check(place)
        return try await transaction(.write) { [locks, place] db in
            // Once more: the connection may be a new one, in the place of one that broke.
            try locks.check(place)
            return try body(db)
        }
    }

    private func transaction<Value: Sendable>(
        _ kind: TransactionKind,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction(kind, body)
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    /// Works outside of a transaction, for what the server does not do within one.
    ///
    /// - Throws: ``StoreError``.
    func withoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.withConnection(body)
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    package func close() throws(StoreError) {
        listener.close()
        pool.close()
    }
}

extension PostgreSQLStore: Store {}
