import Foundation
package import PostgreSQLClient
import TestSupport

/// Debian's PgBouncer in front of a server, on its own socket; it ends with this object.
package final class PgBouncer: Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        case session, transaction, statement
    }

    /// The folder on Debian, which is not in every user's `PATH`.
    package static let program = "/usr/sbin/pgbouncer"

    private let process: ChildProcess
    private let folder: String

    /// Forwards every role of the server to every database.
    package convenience init(
        before server: PostgreSQLServer, mode: Mode, more: String = ""
    ) async throws {
        try await self.init(
            configuration: """
                [databases]
                * = host=\(try await server.folder())
                [pgbouncer]
                auth_type = trust
                pool_mode = \(mode.rawValue)
                default_pool_size = 100
                max_client_conn = 500
                \(more)
                """)
    }

    /// The socket's folder, port and list of roles are appended to the configuration.
    ///
    /// - Parameter roles: nil for `postgres` and the roles of ``PostgreSQLServer/roleWithStore()``.
    package init(configuration: String, roles: String? = nil) async throws {
        let known = ["postgres"] + (1...3_000).map { "of_t_\($0)" }
        let roles = roles ?? known.map { "\"\($0)\" \"\"" }.joined(separator: "\n")
        var command = ["/bin/sh", "-c", Self.script, "pgbouncer-for-tests"]
        command += [Self.program, configuration, roles]
        if getuid() == 0 {
            // PgBouncer refuses to run as root.
            command =
                [
                    "/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                    "--",
                ] + command
        }
        process = try await ChildProcess.start(
            command[0], Array(command.dropFirst()), in: "/", input: nil)
        folder = try await process.firstLine()
    }

    package func address(
        as role: String = "postgres", database: String = "postgres", _ options: String...
    ) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(
            "postgresql:///\(database)?"
                + (["host=\(folder)", "port=6432", "user=\(role)"] + options)
                .joined(separator: "&"))
    }

    private static let script = """
        set -eu
        umask 077
        trap : TERM
        # The path is short, because the path of a socket is limited; mktemp replaces each X.
        folder=$(mktemp -d /tmp/hubsend-pgb-XXXXXX)
        trap 'rm -rf "$folder"' EXIT
        printf '%s\\n' "$3" >"$folder/roles"
        printf '%s\\n' "$2" 'listen_addr =' 'listen_port = 6432' "unix_socket_dir = $folder" \\
            "auth_file = $folder/roles" >"$folder/pgbouncer.ini"
        "$1" "$folder/pgbouncer.ini" >"$folder/log" 2>&1 </dev/null &
        pooler=$!
        until [ -S "$folder/.s.PGSQL.6432" ]; do
            kill -0 "$pooler" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
            sleep 0.05
        done
        printf '%s\\n' "$folder"
        cat >/dev/null || :
        kill -TERM "$pooler" 2>/dev/null || :
        wait "$pooler" || :
        """
}

extension PostgreSQLServer {
    /// A new role that finds its empty schema without any `options`.
    package func roleWithStore() async throws -> String {
        let schema = try await emptySchemaName()
        let role = "of_\(schema)"
        try await administer(
            """
            CREATE ROLE \(role) LOGIN;
            ALTER SCHEMA \(schema) OWNER TO \(role);
            ALTER ROLE \(role) SET search_path = \(schema);
            """)
        return role
    }

    /// Changes settings of a role, and ends its sessions with the old settings.
    package func change(_ role: String, _ settings: String) async throws {
        try await administer(
            """
            ALTER ROLE \(role) \(settings);
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '\(role)';
            """)
    }

    /// At the server's own socket.
    package func address(as role: String, _ options: String...) async throws -> PostgreSQLAddress {
        try PostgreSQLAddress(
            "postgresql:///postgres?"
                + (["host=\(try await folder())", "user=\(role)"] + options).joined(separator: "&"))
    }
}

extension PostgreSQLPoolOptions {
    /// Replaces a session that refuses to write, however new it is.
    package static var withoutRest: Self {
        var options = Self()
        options.freshness = .zero
        return options
    }
}
