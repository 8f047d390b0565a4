import CampaignCore
import PostgreSQLClient
package import Storage

/// Keeps notifications, runs, deliveries and registrations on a PostgreSQL server, for any number
/// of hosts.
///
/// A cancelled task's call is still done, if the server does it within a few seconds. Times are the callers', but the server's
/// clock decides between hosts.
package struct PostgreSQLStore: Sendable {
    let address: PostgreSQLAddress
    let pool: PostgreSQLPool
    package let keyring: PayloadKeyring
    let inboxRuns: Int
    /// Random; tells the store from one that was made in its place.
    let identity: String
    let locks: HeldLocks
    let lease: Duration
    /// Waits for a server that is away, in the calls of a part in a run.
    let rideOut: OutageWait
    let listener = RunListener()
    /// Whether this process has just found the server again.
    let comeback = Comeback()

    package var place: StoreComponent { address.place }

    /// Reads a snapshot in one transaction.
    ///
    /// A long one may read all of a run, and has an hour for each statement.
    func read<Value: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await transaction(isLong ? .longRead : .read, body)
    }

    /// Runs single queries with kept plans (``PostgreSQLPool/lookUp(_:)``).
    func lookUp<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await translated { try await pool.lookUp(body) }
    }

    package func checkWrites() async throws {
        try await write { db in
            guard try db.hasRow("SELECT 1 WHERE NOT current_setting('transaction_read_only')::bool")
            else {
                throw PostgreSQLError(.readOnly, message: "The session is read-only.")
            }
        }
    }

    /// Writes in one transaction, durably; the body may run again when the server asks for that.
    ///
    /// A long one may touch all of a run, and has an hour for each statement.
    ///
    /// - Throws: ``StoreError/connectionLost(_:)`` also while a lock on a campaign is lost.
    @discardableResult
    func write<Value: Sendable>(
        isLong: Bool = false, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try locks.check(place)
        return try await transaction(isLong ? .longWrite : .write) { [locks, place] db in
            // Again: the connection may be new, after one that broke.
            try locks.check(place)
            return try body(db)
        }
    }

    func transaction<Value: Sendable>(
        _ kind: TransactionKind,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await translated { try await pool.transaction(kind, body) }
    }

    /// Works outside of a transaction, for statements that must be outside.
    func withoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await translated { try await pool.withConnection(body) }
    }

    private func translated<Value>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    package func close() throws(StoreError) {
        listener.close()
        pool.close()
    }
}

extension PostgreSQLStore: UpkeepDriver {
    package func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await read(isLong: isLong) { try body($0) }
    }

    package func update<Value: Sendable>(
        isOfRun: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write { try body($0) }
    }
}
