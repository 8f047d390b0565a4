import CampaignCore

/// A store in a relational database; the logic that all databases share, on top of a driver.
///
/// A driver may override a call if its database needs that or a measurement favours it.
package protocol RelationalStore: Sendable {
    var keyring: PayloadKeyring { get }

    /// Reads a snapshot in one transaction; a long one may read all of a run.
    func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Reads a little that the next transaction writes to or reads too: in a file, where another
    /// connection would have its own cache, on the one that writes, without a transaction.
    func queryOnWriter<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Writes in one transaction, durably; the body may run again.
    ///
    /// - Parameter isOfRun: it changes what is known of a run, so that a store that lost the change
    ///   must not be used.
    func update<Value: Sendable>(
        isOfRun: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Makes sure, before pushes are claimed, that their outcomes can be recorded.
    func prepareRecording() async throws
}

extension RelationalStore {
    package func query<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await query(isLong: false, body)
    }

    package func queryOnWriter<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await query(body)
    }

    package func update<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await update(isOfRun: false, body)
    }
}
