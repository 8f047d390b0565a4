import GRDB

extension DatabaseWriter {
    /// Reads in one transaction, whether or not the task is cancelled.
    ///
    /// - Parameters:
    ///   - place: what an error names.
    ///   - body: runs on the connection's queue.
    /// - Returns: what `body` returns.
    /// - Throws: ``StoreError``.
    func uninterruptedRead<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncRead { connection in
                continuation.resume(
                    with: Result { try body(connection.get()) }.mapError {
                        StoreError.translating($0, at: place, connection)
                    })
            }
        }
    }

    /// Writes in one transaction, whether or not the task is cancelled.
    ///
    /// GRDB's own `async` calls roll back in a cancelled task, and what a stopping run still has to save would be lost.
    ///
    /// - Parameters:
    ///   - place: what an error names.
    ///   - body: runs on the connection's queue; when it throws, nothing is written.
    ///   - committed: runs on the same queue once the transaction is durable.
    /// - Returns: what `body` returns.
    /// - Throws: ``StoreError``.
    func uninterruptedWrite<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncWrite(body) { db, result in
                if case .success(let value) = result { committed(value) }
                continuation.resume(
                    with: result.mapError {
                        StoreError.translating($0, at: place, .success(db))
                    })
            }
        }
    }

    /// Works on the writing connection outside of a transaction, for what writes its temporary tables only.
    ///
    /// - Parameters:
    ///   - place: what an error names.
    ///   - body: runs on the connection's queue.
    /// - Returns: what `body` returns.
    /// - Throws: ``StoreError``.
    func uninterruptedWriteWithoutTransaction<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncWriteWithoutTransaction { db in
                continuation.resume(
                    with: Result { try body(db) }
                        .mapError { StoreError.translating($0, at: place, .success(db)) })
            }
        }
    }
}
