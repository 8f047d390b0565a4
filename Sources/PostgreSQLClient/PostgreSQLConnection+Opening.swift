import CLibPQ

extension PostgreSQLConnection {
    /// The oldest server that this room is written for.
    private static let oldestServer = 140_000

    /// Connects to a server, and makes the session as this program needs it.
    ///
    /// - Throws: ``PostgreSQLError``; what `prepare` of the options throws.
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

    /// What libpq gets: first what the address may change, then the address, then what it may not.
    ///
    /// What is given here counts before a service, so that only what is said nowhere is.
    static func parameters(
        _ address: PostgreSQLAddress, _ options: PostgreSQLPoolOptions
    ) -> [(name: String, value: String)] {
        let said = Set(LibPQConnection.parameters(of: address.text).map(\.name))
        var parameters = [(name: "fallback_application_name", value: options.applicationName)]
        // How long a host that is cut off is waited for: half a minute, not the quarter of an hour to two hours of the system.
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
    /// - `plan_cache_mode`: statements here are few and each works on many rows, in tables that are filled within seconds and
    ///   split by run. A plan for the values at hand costs less than a millisecond, leaves out all other runs' tables, and is never
    ///   one that was made while the table was empty. For the same reason `jit` is off, which costs more than it brings here.
    /// - `idle_in_transaction_session_timeout`: a host that stands still in a transaction keeps its locks no longer; those who wait
    ///   for them do so for half a minute.
    /// - `tcp_…`: the server, too, has to learn within half a minute that a host is gone, and to let go of its locks.
    /// - `synchronous_commit`: what was committed has to be on the server's disk, and on that of a replica that commits with it;
    ///   the stricter setting stays.
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
    /// In milliseconds, at most what the server takes.
    fileprivate var wholeMilliseconds: Int {
        Int(min(self / .milliseconds(1), Double(Int32.max)))
    }
}
