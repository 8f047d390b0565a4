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
    /// How long the calls of a part in a run wait for a server that is away.
    let patience: Duration
    /// Hears of runs that begin or go on.
    let listener = RunListener()
    /// The part in a run for which this is the ledger; nil: it is nobody's.
    var part: PartBinding?

    package var place: StorePlace { .server(address.description) }

    /// Reads in one transaction, of one state of the store.
    ///
    /// - Throws: ``StoreError``.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction(.read, body)
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    /// Writes in one transaction; durable when it returns.
    ///
    /// The body may run again, when the server asks for that.
    ///
    /// - Throws: ``StoreError``; ``StoreError/connectionLost(_:)``, too, while a lock on a campaign is lost and not released.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try locks.check(place)
        do {
            return try await pool.transaction(.write) { [locks, place] db in
                // Once more: the connection may be a new one, in the place of one that broke.
                try locks.check(place)
                return try body(db)
            }
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
