/// Why a server did not do what it was asked to.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What callers tell apart; the words say the rest.
    package enum Kind: Hashable, Sendable {
        /// Nobody answered at the address, or its name is unknown.
        case unreachable
        /// The server will not have us: authentication, no such database or role, no rights, TLS; or it is too old.
        case refused
        /// The connection broke; see ``PostgreSQLError/isCommitUncertain``.
        case lost
        /// A lock was not free in time (55P03).
        case lockTimeout
        /// The server's disk is full (53100).
        case diskFull
        /// The server or the session takes no writes, as a hot standby (25006).
        case readOnly
        /// A row of this key is there already (23505); ``PostgreSQLError/constraint`` says which key.
        case uniqueViolation
        /// Others were in the way, each time that it was tried (40001, 40P01).
        case serialization
        /// The server cannot read its own files (XX001, XX002, 58P01).
        case damaged
        /// The server stops, starts or was told to end the connection (57P01, 57P02, 57P03).
        case shuttingDown
        /// The server has no connection to spare (53300).
        case tooManyConnections
        /// The server broke a statement off or had not enough for it, through no fault of the statement: its time was over or
        /// somebody cancelled it (57014), memory or another limit was used up (53000, 53200, 53400), a disk did not answer as it
        /// should (58000, 58030), or the object was in use (55006).
        case interrupted
        /// A schema, table or column is not there (3F000, 42P01, 42703).
        case undefinedObject
        /// The server sent something else than the statement's author reckoned with, or a value cannot be sent.
        case unexpectedValue
        case other
    }

    package let kind: Kind
    /// The five characters by which PostgreSQL names errors (documentation, appendix A); nil: it is not the server's.
    package let sqlState: String?
    /// The constraint that was violated.
    package let constraint: String?
    /// The server's primary message, without its detail and hint, which show values; one line of at most 300 characters.
    package let message: String
    /// Whether the connection broke while the commit was under way, so that nobody knows here whether it happened.
    package let isCommitUncertain: Bool
    /// Whether the same transaction may succeed if it is simply done again.
    package let asksForRepetition: Bool

    /// Makes an error; the message is brought into one line, and is cut.
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

    /// Makes the error of a server's answer.
    init(sqlState: String, constraint: String? = nil, message: String) {
        self.init(
            Kind(sqlState: sqlState), sqlState: sqlState, constraint: constraint,
            message: sqlState.hasPrefix("22") ? Self.withoutValues(message) : message)
    }

    package var description: String {
        sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    }

    /// Whether the connection cannot be used any more.
    var isConnectionGone: Bool { [.lost, .shuttingDown].contains(kind) }

    /// The same error of a commit that nobody knows the end of.
    var ofCommit: PostgreSQLError {
        PostgreSQLError(
            .lost, sqlState: sqlState, constraint: constraint, message: message,
            isCommitUncertain: true)
    }

    /// The same error of a statement that was prepared for tables as they were.
    var ofOutdatedStatement: PostgreSQLError {
        PostgreSQLError(
            kind, sqlState: sqlState, constraint: constraint, message: message,
            asksForRepetition: true)
    }

    /// The messages about data (class 22) quote it.
    private static func withoutValues(_ message: String) -> String {
        message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .map { index, part in index.isMultiple(of: 2) ? part : "…" }.joined(separator: "\"")
    }

    private static func line(_ message: String) -> String {
        let words = message.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        var text = ""
        for scalar in words.unicodeScalars.prefix(300) {
            let isHarmless = ![.control, .format, .surrogate, .privateUse, .unassigned]
                .contains(scalar.properties.generalCategory)
            text.unicodeScalars.append(isHarmless ? scalar : "\u{FFFD}")
        }
        return text
    }
}

extension PostgreSQLError.Kind {
    /// What an error code of the server means here.
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
