import CLibPQ

extension PostgreSQLConnection {
    /// The oldest supported server.
    private static let oldestServer = 140_000

    /// Connects, and sets up the session.
    static func open(
        _ address: PostgreSQLAddress, _ options: PostgreSQLPoolOptions
    ) throws -> PostgreSQLConnection {
        let line = try LibPQConnection(parameters(address, options))
        guard line.serverVersion >= oldestServer else {
            let version = line.serverVersion
            throw PostgreSQLError(
                .refused,
                message: """
                    The server is PostgreSQL \(version / 10_000).\(version % 10_000); hubsend needs 14 or a newer one.
                    """)
        }
        if let encoding = line.report("server_encoding"), encoding != "UTF8" {
            throw PostgreSQLError(
                .refused,
                message: """
                    The database has the encoding \(encoding), which cannot hold every name; create one with ENCODING 'UTF8'.
                    """)
        }
        let connection = PostgreSQLConnection(line)
        try connection.executeScript(session(options))
        try options.prepare(connection)
        return connection
    }

    /// libpq's parameters: those that the address may change, the address, and those that it may
    /// not.
    ///
    /// The first count before a service, so only those that are set nowhere are given.
    static func parameters(
        _ address: PostgreSQLAddress, _ options: PostgreSQLPoolOptions
    ) -> [(name: String, value: String)] {
        let said = Set(LibPQConnection.parameters(of: address.text).map(\.name))
        var parameters = [(name: "fallback_application_name", value: options.applicationName)]
        // Gives up on an unreachable host after half a minute, not the system's quarter of an hour
        // to two hours.
        let defaults = [
            ("connect_timeout", "\(max(2, options.connectTimeout.components.seconds))"),
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
        for (name, value) in defaults where !said.contains(name) {
            parameters.append((name, value))
        }
        return parameters + [("dbname", address.text), ("client_encoding", "UTF8")]
    }

    /// The settings of a session.
    ///
    /// - `plan_cache_mode`: each statement works on many rows, in tables that fill within seconds
    ///   and are split by run. A plan for the actual values costs less than a millisecond, skips
    ///   all other runs' tables, and never assumes an empty table. For the same reason `jit` is
    ///   off.
    /// - `idle_in_transaction_session_timeout`: a suspended host must not keep its locks for more
    ///   than half a minute.
    /// - `tcp_…`: the server, too, must notice within half a minute that a host is gone, and
    ///   release its locks.
    /// - `synchronous_commit`: a commit must be on the server's disk, and on a synchronous
    ///   replica's; a stricter setting stays.
    private static func session(_ options: PostgreSQLPoolOptions) -> String {
        """
        SET client_min_messages = warning;
        SET standard_conforming_strings = on;
        SET TimeZone = 'UTC';
        SET lock_timeout = \(max(1, options.lockTimeout.wholeMilliseconds));
        SET idle_in_transaction_session_timeout = 20000;
        SET plan_cache_mode = force_custom_plan;
        SET jit = off;
        SET tcp_keepalives_idle = 15;
        SET tcp_keepalives_interval = 5;
        SET tcp_keepalives_count = 3;
        SET tcp_user_timeout = 30000;
        """
            + (options.isReadOnly
                ? "SET default_transaction_read_only = on;"
                : """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
                """)
    }
}

extension Duration {
    /// In milliseconds, within the server's limit.
    fileprivate var wholeMilliseconds: Int {
        Int(min(self / .milliseconds(1), Double(Int32.max)))
    }
}
