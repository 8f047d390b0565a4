import CampaignCore

/// A store in a relational database: the logic that all databases share, on top of a driver.
///
/// A driver may override a call if its database requires that or if it is measurably faster.
package protocol RelationalStore: Sendable {
    var keyring: PayloadKeyring { get }

    /// Reads a snapshot in one transaction; if `isLong`, it may read a whole run.
    func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Reads a few rows that the next transaction also uses. In a file, this uses the writing
    /// connection without a transaction, because another connection would have a separate cache.
    func queryOnWriter<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
    /// Writes durably in one transaction; the body may run more than once.
    ///
    /// - Parameter isOfRun: whether the change concerns a run, so that a store that has lost it
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
