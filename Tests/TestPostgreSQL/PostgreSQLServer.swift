import Foundation
package import PostgreSQLClient
import Synchronization
import TestSupport

/// A PostgreSQL server in a temporary folder, which only the tests can reach.
///
/// It starts when it is first used, and ends with this object or this process. It does not sync, so
/// it may lose data if the machine crashes.
package final class PostgreSQLServer: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description = """
            These tests need a PostgreSQL server: install Debian's package postgresql, or let HUBSEND_TEST_POSTGRESQL name \
            the folder of the programs initdb and postgres.
            """
    }

    private struct Cluster: Sendable {
        let process: ChildProcess
        let folder: String
        /// Empty, so that the server is not on the network.
        let host: String
        let administration: PostgreSQLPool
    }

    private struct State {
        var start: Task<Cluster, any Error>?
        var lastStore = 0
    }

    /// Each test has its own schema.
    package static let shared = PostgreSQLServer()

    package static var isInstalled: Bool {
        do {
            _ = try programs()
            return true
        } catch {
            return false
        }
    }

    private let isSecured: Bool
    private let state = Mutex(State())

    /// For tests that stop their server or change its settings; a secured server is also on the
    /// network, with TLS (``RemoteStore``).
    package init(isSecured: Bool = false) {
        self.isSecured = isSecured
    }

    deinit {
        state.withLock(\.start)?.cancel()
    }

    /// The address of an empty schema, with more parameters in the URI.
    package func emptyStore(_ options: String...) async throws -> PostgreSQLAddress {
        let (cluster, schema) = try await emptySchema()
        return try Self.address(
            cluster.folder, ["options=-csearch_path%3D\(schema)"] + options)
    }

    /// An empty schema for clients on the network; needs a secured server.
    package func remoteStore() async throws -> RemoteStore {
        let (cluster, schema) = try await emptySchema()
        try await cluster.administration.withConnection { connection in
            try connection.executeScript("GRANT ALL ON SCHEMA \(schema) TO sender, carrier")
        }
        return RemoteStore(folder: cluster.folder, host: cluster.host, schema: schema)
    }

    private func emptySchema() async throws -> (cluster: Cluster, name: String) {
        let cluster = try await cluster()
        let number = state.withLock { state in
            state.lastStore += 1
            return state.lastStore
        }
        let schema = "t_\(number)"
        try await cluster.administration.withConnection { connection in
            try connection.executeScript("CREATE SCHEMA \(schema)")
        }
        return (cluster, schema)
    }

    func emptySchemaName() async throws -> String { try await emptySchema().name }

    /// The folder with its socket and its log.
    package func folder() async throws -> String {
        try await cluster().folder
    }

    package func log(in folder: String) throws -> String {
        try String(contentsOfFile: folder + "/log", encoding: .utf8)
    }

    /// Runs statements as the server's owner, outside the tests' schemas.
    package func administer(_ sql: String) async throws {
        try await cluster().administration.withConnection { try $0.executeScript(sql) }
    }

    private static func address(
        _ folder: String, _ options: [String]
    ) throws -> PostgreSQLAddress {
        let place = folder.replacing("%", with: "%25").replacing(" ", with: "%20")
        return try PostgreSQLAddress(
            "postgresql:///postgres?"
                + (["host=\(place)", "user=postgres"] + options).joined(separator: "&"))
    }

    private func cluster() async throws -> Cluster {
        let start = state.withLock { [isSecured] state in
            let start = state.start ?? Task { try await Self.start(isSecured: isSecured) }
            state.start = start
            return start
        }
        return try await start.value
    }

    private static func start(isSecured: Bool) async throws -> Cluster {
        let programs = try programs()
        var command = ["/bin/sh", "-c", script, "hubsend-test-server", programs]
        if isSecured { command.append(RemoteStore.preparation) }
        // The server refuses to run as root.
        if getuid() == 0 {
            command =
                [
                    "/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                    "--",
                ]
                + command
        }
        let process = try await ChildProcess.start(
            command[0], Array(command.dropFirst()), in: "/", input: nil)
        let place = try await process.firstLine().split(separator: " ").map(String.init)
        let folder = place[0]
        let administration = PostgreSQLPool(
            try address(folder, isSecured ? ["port=\(RemoteStore.port)"] : []),
            options: PostgreSQLPoolOptions(connections: 1))
        if isSecured {
            try await administration.withConnection { connection in
                try connection.executeScript(RemoteStore.roles)
            }
        }
        return Cluster(
            process: process, folder: folder, host: place.count > 1 ? place[1] : "",
            administration: administration)
    }

    private static func programs() throws -> String {
        let files = FileManager.default
        var folders: [String] = []
        if let named = ProcessInfo.processInfo.environment["HUBSEND_TEST_POSTGRESQL"] {
            folders = [named]
        } else if files.fileExists(atPath: "/usr/lib/postgresql") {
            folders = try files.contentsOfDirectory(atPath: "/usr/lib/postgresql")
                .compactMap { Int($0) }.sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        }
        let found = folders.first { folder in
            ["initdb", "postgres", "pg_isready"]
                .allSatisfy { files.isExecutableFile(atPath: folder + "/" + $0) }
        }
        guard let found else { throw Missing() }
        return found
    }

    /// Creates a cluster, runs its server until stdin ends, and removes both.
    ///
    /// The second parameter is a script that runs first and may add options to `$@`. The folder is
    /// not in a test's folder, because a socket's path must be shorter than 108 bytes.
    private static let script = """
        set -eu
        umask 077
        trap : TERM
        programs=$1
        preparation=${2-}
        host=
        # The path is short, because the path of a socket is limited; mktemp replaces each X.
        folder=$(mktemp -d /tmp/hubsend-pg-XXXXXX)
        trap 'rm -rf "$folder"' EXIT
        "$programs/initdb" -D "$folder/data" -U postgres --auth=trust --no-sync -E UTF8 --locale=C.UTF-8 \
            >"$folder/log" 2>&1 </dev/null || { cat "$folder/log" >&2; exit 1; }
        set --
        eval "$preparation"
        "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \
            -c full_page_writes=off -c shared_buffers=32MB -c max_connections=400 -c autovacuum=off \
            -c wal_level=minimal -c max_wal_senders=0 -c checkpoint_timeout=1h "$@" \
            >"$folder/log" 2>&1 </dev/null &
        server=$!
        tries=0
        until "$programs/pg_isready" -q -h "$folder"; do
            tries=$((tries + 1))
            if [ "$tries" -gt 1200 ] || ! kill -0 "$server" 2>/dev/null; then
                cat "$folder/log" >&2
                exit 1
            fi
            sleep 0.05
        done
        printf '%s\\n' "$folder $host"
        cat >/dev/null || :
        kill -QUIT "$server" 2>/dev/null || :
        wait "$server" || :
        """
}
