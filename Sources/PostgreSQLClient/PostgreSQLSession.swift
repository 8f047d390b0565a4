import Synchronization

/// A connection that its owner keeps, for a session lock or for listening; calls block, one at a
/// time.
package final class PostgreSQLSession: Sendable {
    private let connection: Mutex<PostgreSQLConnection?>
    private let breaker: LineBreaker

    init(
        _ address: PostgreSQLAddress, options: PostgreSQLPoolOptions, pooler: PoolerCheck,
        deadline: AnswerDeadline
    ) throws {
        let opened = try PostgreSQLConnection.open(address, options, pooler, deadline)
        breaker = opened.breaker
        connection = Mutex(opened)
    }

    /// Uses the connection; throws ``PostgreSQLError/Kind/lost`` if it is closed or broken.
    @discardableResult
    package func withConnection<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        try connection.withLock { connection in
            guard let connection else {
                throw PostgreSQLError(.lost, message: "The connection was closed.")
            }
            return try body(connection)
        }
    }

    /// Whether the connection is known to have ended; this does not wait, and it is false while the
    /// connection is in use.
    package var isKnownToBeGone: Bool {
        connection.withLockIfAvailable { connection in
            connection.map { !$0.isUsable } ?? true
        } ?? false
    }

    /// Ends the connection and its locks immediately; a call in progress fails.
    package func close() {
        breaker.breakOff()
        connection.withLock { $0 = nil }
    }
}
