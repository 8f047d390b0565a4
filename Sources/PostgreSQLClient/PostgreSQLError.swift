/// Why a request to a server failed.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// No server answered at the address, or the host name is unknown.
        case unreachable
        /// The server refused the connection because of authentication, a missing database or role,
        /// missing privileges or TLS, or the server is too old.
        case refused
        /// The connection was lost; see ``PostgreSQLError/isCommitUncertain``.
        case lost
        /// 55P03
        case lockTimeout
        /// 53100
        case diskFull
        /// The server or the session is read-only, as on a hot standby (25006).
        case readOnly
        /// The row already exists (23505); see ``PostgreSQLError/constraint``.
        case uniqueViolation
        /// Every attempt conflicted with other transactions (40001, 40P01).
        case serialization
        /// The server cannot read its own files (XX001, XX002, 58P01).
        case damaged
        /// The server is stopping or starting, or was told to end the connection (57P01, 57P02,
        /// 57P03).
        case shuttingDown
        /// 53300
        case tooManyConnections
        /// The server aborted a valid statement: it was cancelled or took too long (57014), a
        /// resource was exhausted (53000, 53200, 53400), a disk failed (58000, 58030), or the
        /// object was in use (55006).
        case interrupted
        /// A schema, table or column is missing (3F000, 42P01, 42703).
        case undefinedObject
        /// A pooler gives each transaction a different session.
        case withoutSessions
        /// The server sent something unexpected, or a value cannot be sent.
        case unexpectedValue
        case other
    }

    package let kind: Kind
    /// PostgreSQL's error code (documentation, appendix A); nil if the error did not come from the
    /// server.
    package let sqlState: String?
    package let constraint: String?
    /// The server's primary message, limited to 500 characters, without the detail and the hint,
    /// which contain values.
    package let message: String
    /// Whether the connection was lost during the commit, so that the outcome of the commit is
    /// unknown.
    package let isCommitUncertain: Bool
    /// Whether the same transaction may succeed if it is repeated.
    package let asksForRepetition: Bool

    /// Creates an error; the message is shortened and put on one line.
    package init(
        _ kind: Kind, sqlState: String? = nil, constraint: String? = nil, message: String,
        isCommitUncertain: Bool = false, asksForRepetition: Bool = false
    ) {
        self.kind = kind
        self.sqlState = sqlState
        self.constraint = constraint
        self.message = Self.line(message)
        self.isCommitUncertain = isCommitUncertain
        self.asksForRepetition = asksForRepetition || kind == .serialization
    }

    init(sqlState: String, constraint: String? = nil, message: String) {
        self.init(
            Kind(sqlState: sqlState), sqlState: sqlState, constraint: constraint,
            message: sqlState.hasPrefix("22") ? Self.withoutValues(message) : message)
    }

    package var description: String {
        sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    }

    var isConnectionGone: Bool { [.lost, .shuttingDown].contains(kind) }

    /// The same error, for a commit with an unknown outcome.
    var ofCommit: PostgreSQLError {
        PostgreSQLError(
            .lost, sqlState: sqlState, constraint: constraint, message: message,
            isCommitUncertain: true)
    }

    /// The same error, for an outdated prepared statement.
    var ofOutdatedStatement: PostgreSQLError {
        PostgreSQLError(
            kind, sqlState: sqlState, constraint: constraint, message: message,
            asksForRepetition: true)
    }

    /// Messages about data (class 22) quote the data.
    private static func withoutValues(_ message: String) -> String {
        message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .map { index, part in index.isMultiple(of: 2) ? part : "…" }.joined(separator: "\"")
    }

    private static func line(_ message: String) -> String {
        let words = message.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        var text = ""
        for scalar in words.unicodeScalars.prefix(500) {
            let isHarmless = ![.control, .format, .surrogate, .privateUse, .unassigned]
                .contains(scalar.properties.generalCategory)
            text.unicodeScalars.append(isHarmless ? scalar : "\u{FFFD}")
        }
        return text
    }
}

extension PostgreSQLError.Kind {
    init(sqlState: String) {
        self =
            switch sqlState {
            case "53100": .diskFull
            case "53300": .tooManyConnections
            case "55P03": .lockTimeout
            case "25006": .readOnly
            case "25P03", "57P05": .lost
            case "23505": .uniqueViolation
            case "40001", "40P01": .serialization
            case "57014", "53000", "53200", "53400", "58000", "58030", "55006": .interrupted
            case "XX001", "XX002", "58P01": .damaged
            case "57P01", "57P02", "57P03": .shuttingDown
            case "3F000", "42P01", "42703": .undefinedObject
            case "3D000", "42501", "57P04": .refused
            case let state where state.hasPrefix("28"): .refused
            case let state where state.hasPrefix("08"): .lost
            default: .other
            }
    }
}
