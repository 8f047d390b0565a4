package import FoundationEssentials
import PostgreSQLClient
import Storage

package struct ServerFacts: Hashable, Sendable {
    /// The version, such as `17.2`.
    package let version: String
    /// The connection's encryption, such as `TLSv1.3`; nil if there is none.
    package let encryption: String?
    /// Whether the server's certificate proved that the server is the host in the address.
    package let isProven: Bool
    /// Whether the connection never leaves this host.
    package let isOnSocket: Bool
    /// Whether the server is a read-only replica.
    package let isReplica: Bool
    /// Whether this role can write and create partitions, which only the tables' owner can do.
    package let mayWrite: Bool
    /// By how much the server's clock is ahead of this host's clock; negative if it is behind.
    package let clockAhead: Duration
}

extension PostgreSQLStore {
    package func serverFacts(
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> ServerFacts {
        try await read { db in
            let before = now()
            let row = try db.row(
                """
                SELECT current_setting('server_version'), ssl.version, inet_server_addr() IS NULL,
                    pg_is_in_recovery(), (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                    has_schema_privilege(current_schema()::text, 'CREATE') AND pg_has_role(
                        (SELECT relowner FROM pg_class WHERE oid = 'runs'::regclass), 'USAGE')
                FROM (SELECT pg_backend_pid() AS pid) AS own LEFT JOIN pg_stat_ssl AS ssl USING (pid)
                """)
            guard let row else { throw DamagedValue() }
            // The server read its clock between the two readings of this host's clock.
            let middle = before.timeIntervalSince1970 / 2 + now().timeIntervalSince1970 / 2
            return ServerFacts(
                version: String(try row.text(0).prefix { $0 != " " }),
                encryption: try row.optionalText(1), isProven: db.isServerProven,
                isOnSocket: try row.bool(2),
                isReplica: try row.bool(3), mayWrite: try row.bool(5),
                clockAhead: .milliseconds(try row.int64(4)) - .seconds(middle))
        }
    }
}
