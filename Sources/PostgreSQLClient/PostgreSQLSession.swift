import Synchronization

/// A connection that its owner keeps for as long as it is needed: for a session's lock, or to listen.
///
/// Calls block their thread; one waits for the other.
package final class PostgreSQLSession: Sendable {
    private let connection: Mutex<PostgreSQLConnection?>
    private let breaker: LineBreaker

    /// Connects.
    ///
    /// - Throws: ``PostgreSQLError``; what `prepare` of the options throws.
    package init(_ address: PostgreSQLAddress, options: PostgreSQLPoolOptions) throws {
        let opened = try PostgreSQLConnection.open(address, options)
        breaker = opened.breaker
        connection = Mutex(opened)
    }

    /// Uses the connection.
    ///
    /// - Throws: ``PostgreSQLError``, of the kind ``PostgreSQLError/Kind/lost`` once it is closed or broken; what `body` throws.
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

    /// Whether the connection is known to have ended; asks nobody, and waits for nobody.
    ///
    /// While somebody uses it, it is not known.
    package var isKnownToBeGone: Bool {
        connection.withLockIfAvailable { connection in
            connection.map { !$0.isUsable } ?? true
        } ?? false
    }

    /// Ends the connection at once, and with it the session's locks; a call that is under way fails.
    package func close() {
        breaker.breakOff()
        connection.withLock { $0 = nil }
    }
}
