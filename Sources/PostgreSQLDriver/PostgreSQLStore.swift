import CampaignCore
import PostgreSQLClient
package import Storage

/// Keeps notifications, runs, deliveries and registrations on a PostgreSQL server, for any number
/// of hosts.
///
/// The call of a cancelled task is still completed if the server does so within a few seconds.
/// Times come from the callers, but the server's clock is used wherever hosts must agree.
package struct PostgreSQLStore: Sendable {
    let address: PostgreSQLAddress
    let pool: PostgreSQLPool
    package let keyring: PayloadKeyring
    let inboxRuns: Int
    /// A random value that distinguishes the store from one that was created in its place.
    let identity: String
    let locks: HeldLocks
    let lease: Duration
    /// Waits for an unavailable server in the calls of a part in a run.
    let rideOut: OutageWait
    let listener = RunListener()
    /// Whether this process has just reached the server again.
    let comeback = Comeback()

    package var place: StoreComponent { address.place }

    /// Reads a snapshot in one transaction.
    ///
    /// If `isLong`, it may read a whole run and has an hour for each statement.
    func read<Value: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await transaction(isLong ? .longRead : .read, body)
    }

    /// Runs single queries whose plans are kept (``PostgreSQLPool/lookUp(_:)``).
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

    /// Writes durably in one transaction; the body may run again if the server requests that.
    ///
    /// If `isLong`, it may touch a whole run and has an hour for each statement.
    ///
    /// - Throws: ``StoreError/connectionLost(_:)``, even if only a lock on a campaign is lost.
    @discardableResult
    func write<Value: Sendable>(
        isLong: Bool = false, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try locks.check(place)
        return try await transaction(isLong ? .longWrite : .write) { [locks, place] db in
            // This is checked again, because the connection may be new after another one broke.
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

    /// Works outside a transaction, for statements that require this.
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
