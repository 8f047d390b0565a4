import Glibc
import Synchronization

extension PostgreSQLConnection {
    private static let oldestServer = 140_000

    static func open(
        _ address: PostgreSQLAddress, _ options: PostgreSQLPoolOptions, _ pooler: PoolerCheck,
        _ deadline: AnswerDeadline
    ) throws -> PostgreSQLConnection {
        let parameters = parameters(address, options)
        let limit = options.statementLimit + options.grace
        let line = try LibPQConnection.open(parameters, limit: limit, deadline: deadline)
        guard line.serverVersion >= oldestServer else {
            let version = line.serverVersion
            throw PostgreSQLError(
                .refused,
                message: """
                    The server is PostgreSQL \(version / 10_000).\(version % 10_000); hubsend needs version 14 or newer.
                    """)
        }
        if let encoding = line.report("server_encoding"), encoding != "UTF8" {
            throw PostgreSQLError(
                .refused,
                message: """
                    The database has the encoding \(encoding), which cannot store every name; create a database with ENCODING 'UTF8'.
                    """)
        }
        guard line.breaker.canBreakOff else {
            throw PostgreSQLError(.other, message: LibPQConnection.words(EMFILE))
        }
        let connection = PostgreSQLConnection(line, options)
        let settings = settings(options, of: line.serverVersion)
        // A pooler's session may be shared, so the session is set up only after that has been ruled
        // out.
        let condition = "WHERE pg_backend_pid() = \(line.process)"
        if try connection.script("\(settings) \(condition)").rowCount == 0 {
            try pooler.expectSessions(of: connection) {
                let other = try LibPQConnection.open(
                    parameters, limit: options.poolerLimit, deadline: AnswerDeadline())
                return PostgreSQLConnection(other, options)
            }
            try connection.executeScript(settings)
        }
        try options.prepare(connection)
        return connection
    }

    /// The parameters for libpq: defaults that the address may override, the address, and fixed
    /// parameters.
    ///
    /// The defaults would override a service file, so they include only parameters that are not set
    /// anywhere else.
    static func parameters(
        _ address: PostgreSQLAddress, _ options: PostgreSQLPoolOptions
    ) -> [(name: String, value: String)] {
        let effective = LibPQConnection.parameters(of: address.text)
        let present = Set(effective.map(\.name))
        var parameters = [(name: "fallback_application_name", value: options.applicationName)]
        // With these, connecting to an unreachable host fails after half a minute; with the
        // system's defaults, it would take from a quarter of an hour to two hours.
        let defaults = [
            ("connect_timeout", "\(max(2, options.connectTimeout.components.seconds))"),
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
        for (name, value) in defaults where !present.contains(name) {
            parameters.append((name, value))
        }
        if !address.setsTLSMode, !isTLSModeSet(effective), !isOnThisMachine(effective) {
            parameters.append(("sslmode", "verify-full"))
        }
        return parameters + [("dbname", address.text), ("client_encoding", "UTF8")]
    }

    /// Whether a variable or a service file sets `sslmode`; libpq's own default is `prefer`.
    private static func isTLSModeSet(_ effective: [ConnectionParameter]) -> Bool {
        unsafe getenv("PGSSLMODE") != nil
            || effective.contains { $0.name == "sslmode" && $0.value != "prefer" }
    }

    /// Whether every host is a socket folder, libpq's default socket or a loopback address.
    private static func isOnThisMachine(_ effective: [ConnectionParameter]) -> Bool {
        func list(_ name: String) -> [Substring] {
            effective.first { $0.name == name }?.value
                .split(separator: ",", omittingEmptySubsequences: false) ?? []
        }
        let (names, addresses) = (list("host"), list("hostaddr"))
        return (0..<max(names.count, addresses.count)).allSatisfy { index in
            let address = index < addresses.count ? addresses[index] : ""
            let host = address.isEmpty && index < names.count ? names[index] : address
            return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@")
                || ["localhost", "::1"].contains(host.lowercased())
                || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        }
    }

    /// The session settings that this program relies on, whatever a role or database presets.
    ///
    /// - `plan_cache_mode`: each statement works on many rows, in tables that fill within seconds
    ///   and are split by run. Planning for the actual values takes less than a millisecond, skips
    ///   the tables of all other runs, and never assumes an empty table. For the same reason, `jit`
    ///   is off. ``PostgreSQLConnection/withKeptPlans(_:)`` is for statements whose planning takes
    ///   longer.
    /// - `idle_in_transaction_session_timeout`: a suspended host must not keep its locks for more
    ///   than half a minute.
    /// - `tcp_…`: the server, too, must notice within half a minute that a host is gone, so that it
    ///   releases the host's locks.
    /// - `row_security`: hiding rows by a policy is an error.
    /// - `synchronous_commit`: a commit must reach the server's disk and that of a synchronous
    ///   replica; a stricter setting is kept.
    ///
    /// `default_transaction_read_only` is left alone, because administrators and providers use it
    /// to stop all writing.
    private static func settings(
        _ options: PostgreSQLPoolOptions, of serverVersion: Int
    ) -> String {
        var settings = [
            ("client_min_messages", "warning"), ("standard_conforming_strings", "on"),
            ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres"),
            ("bytea_output", "hex"), ("extra_float_digits", "1"), ("row_security", "off"),
            ("transform_null_equals", "off"),
            ("lock_timeout", "\(max(1, options.lockTimeout.wholeMilliseconds))"),
            ("statement_timeout", "\(options.statementLimit.wholeMilliseconds)"),
            ("idle_in_transaction_session_timeout", "20000"), ("idle_session_timeout", "0"),
            ("default_transaction_isolation", "read committed"),
            ("default_transaction_deferrable", "off"),
            ("plan_cache_mode", "force_custom_plan"), ("jit", "off"),
            ("tcp_keepalives_idle", "15"), ("tcp_keepalives_interval", "5"),
            ("tcp_keepalives_count", "3"), ("tcp_user_timeout", "30000"),
        ]
        if serverVersion >= 170_000 { settings.append(("transaction_timeout", "0")) }
        if options.isReadOnly { settings.append(("default_transaction_read_only", "on")) }
        return "SELECT "
            + settings.map { "set_config('\($0)', '\($1)', false), " }.joined()
                + """
                set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)
                """
    }
}

/// Checks, once per pool, whether a pooler keeps one session per client.
final class PoolerCheck: Sendable {
    private static let rounds = 6

    private let isDone = Mutex(false)

    /// Uses the connections of two clients alternately.
    ///
    /// A pooler that takes sessions back after each transaction soon gives a client a different
    /// session or both clients the same session, in whatever order it assigns them.
    func expectSessions(
        of one: PostgreSQLConnection, _ open: () throws -> PostgreSQLConnection
    ) throws {
        try isDone.withLock { isDone in
            if isDone { return }
            let other: PostgreSQLConnection
            let second: Int32
            do {
                other = try open()
                second = try other.sessionProcess()
            } catch let error as PostgreSQLError where error.kind == .lost {
                throw PostgreSQLError(
                    .tooManyConnections,
                    message: "The pooler in front of the server has no second session for hubsend.")
            }
            let first = try one.sessionProcess()
            for _ in 0..<Self.rounds {
                // Each connection is used twice in a row, because two alternating sessions would
                // look like one session per client.
                for (connection, process) in [
                    (other, second), (other, second), (one, first), (one, first),
                ] where try first == second || connection.sessionProcess() != process {
                    throw PostgreSQLError(
                        .withoutSessions,
                        message: "The pooler gives each transaction a different session.")
                }
            }
            isDone = true
        }
    }
}

extension Duration {
    /// The duration in milliseconds, within the server's limit.
    var wholeMilliseconds: Int { Int(min(self / .milliseconds(1), Double(Int32.max))) }
}
