import Foundation
import LocalHub
import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

/// Tests a store on a PostgreSQL server with the real binary, a real server and the local hub.
@Suite(.bounded, .postgreSQL) struct ServerStoreTests {
    /// The report's outcomes, without columns that differ from run to run.
    private static func outcomes(_ report: String) -> [[String]] {
        report.split(separator: "\n").map { row in
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            return [2, 3, 5, 6, 8].map { String(cells[$0]) }
        }
    }

    @Test("A campaign has the same report with a server store and a file store")
    func campaignHasTheSameReportWithAServerStoreAndAFileStore() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        var reports: [[[String]]] = []
        for store in ["store.sqlite", server] {
            let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
            func run(_ words: String...) async throws -> String {
                let result = try await Binary.run(
                    words + ["--store", store], in: workspace, status: 0)
                return result.output
            }
            _ = try await run("validate", "notice.yaml")
            #expect(try await run("run", "--json", "notice.yaml").contains("\"finished\""))
            _ = try await run("run", "notice.yaml")
            let runs = try JSONSerialization.jsonObject(
                with: Data(try await run("runs", "--format", "json").utf8))
            #expect((runs as? [Any])?.count == 1)
            reports.append(Self.outcomes(try await run("report", "--output", "-")))
            let files = FileManager.default
            #expect(
                files.fileExists(atPath: workspace.file("store.sqlite"))
                    == (store == "store.sqlite"))
        }
        #expect(reports[0].map { $0[0] } == ["recipient", "alice", "bob"])
        #expect(reports[0] == reports[1])
    }

    @Test("A host with another payload key starts no run")
    func hostWithAnotherPayloadKeyStartsNoRun() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        func call(_ words: String..., key: UInt8) async throws -> ChildProcess.Result {
            let key = Data(repeating: key, count: 32).base64EncodedString()
            return try await Binary.run(
                words + ["--store", server], in: workspace,
                environment: ["HUBSEND_PAYLOAD_KEY": key])
        }
        let first = try await call("run", "notice.yaml", key: 1)
        #expect(first.status == 0, "\(first.complaints)")
        let second = try await call("run", "--again", "notice.yaml", key: 2)
        #expect(second.status == 2)
        #expect(second.complaints.contains("a different key from this host's"))
        let runs = try await call("runs", "--format", "json", key: 1)
        #expect(
            (try JSONSerialization.jsonObject(with: Data(runs.output.utf8)) as? [Any])?.count == 1)
    }

    @Test("The backend uses a store on a server, and exits if the store is gone")
    func backendUsesAStoreOnAServerAndExitsIfTheStoreIsGone() async throws {
        let address = try await PostgreSQLServer.shared.emptyStore()
        let workspace = try Workspace(["users": Self.users])
        let serve = try await Binary.start(
            [
                "serve", "--users", "users", "--listen", "127.0.0.1:0", "--json", "--store",
                address.text,
            ], in: workspace, environment: Self.hub)
        _ = try await serve.firstLine()
        let pool = PostgreSQLPool(address, options: PostgreSQLPoolOptions(connections: 1))
        defer { pool.close() }
        try await pool.withConnection { db in
            try db.executeScript(
                """
                DO $$ BEGIN
                    EXECUTE format('DROP SCHEMA %I CASCADE', current_schema());
                END $$
                """)
        }
        let result = try await serve.end(2)
        #expect(result.complaints.contains("replaced, moved or deleted"), "\(result.complaints)")
    }

    @Test("hubsend does not back up a store on a server")
    func hubsendDoesNotBackUpAStoreOnAServer() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        let workspace = try Workspace()
        let backup = try await Binary.run(
            ["store", "backup", "b.sqlite"], in: workspace, environment: ["HUBSEND_STORE": server],
            status: 2)
        #expect(backup.complaints.contains("pg_dump"))
        #expect(try !workspace.listing().contains("b.sqlite"))
    }

    private static let hub = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0",
        "HUBSEND_HUB_NAME": "news",
    ]
    private static let users =
        "alice:$2b$10$/FdDZ/KTLjOXfsgpWwX10Ojfxdp8kq3QLbEa4PFNKIUvMDSE748tG\n"

    @Test(
        "A pooler that shares sessions is refused",
        .pgBouncer,
        arguments: [PgBouncer.Mode.transaction, .statement],
        [
            ["run", "notice.yaml"], ["worker"], ["doctor"],
            ["serve", "--users", "users", "--listen", "127.0.0.1:0"], ["runs"], ["store", "check"],
        ])
    func poolerThatSharesSessionsIsRefused(
        mode: PgBouncer.Mode, command: [String]
    ) async throws {
        let server = PostgreSQLServer.shared
        let pooler = try await PgBouncer(before: server, mode: mode)
        let address = try pooler.address(as: try await server.roleWithStore())
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(), "users": Self.users])
        let result = try await Binary.run(
            command, in: workspace,
            environment: Self.hub.merging(["HUBSEND_STORE": address.text]) { $1 }, status: 2)
        let words = "does not keep a session for each client"
        #expect((result.output + result.complaints).contains(words), "\(result.complaints)")
    }

    /// The configuration from the manual, with a role, a server and a socket that only this test
    /// uses.
    @Test("A run works through PgBouncer as configured in the manual", .pgBouncer)
    func runWorksThroughPgBouncerAsConfiguredInTheManual() async throws {
        let server = PostgreSQLServer.shared
        try await server.administer("CREATE ROLE hubsend LOGIN")
        try await server.administer("CREATE DATABASE hubsend OWNER hubsend")
        let page = try String(
            contentsOf: URL(filePath: #filePath)
                .appending(path: "../../../../man/hubsend-postgresql.7").standardizedFileURL,
            encoding: .utf8)
        let start = try #require(page.range(of: "[databases]"))
        let end = try #require(page.range(of: ".Ed", range: start.upperBound..<page.endIndex))
        let example = String(page[start.lowerBound..<end.lowerBound])
        #expect(example.contains("host=/run/postgresql"))
        let pooler = try await PgBouncer(
            configuration: example.replacing(
                "host=/run/postgresql", with: "host=\(try await server.folder())"),
            roles: "\"hubsend\" \"word\"")
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "passwords": "*:*:*:*:word\n",
        ])
        try workspace.setMode(0o600, of: "passwords")
        let store = try pooler.address(as: "hubsend", database: "hubsend").text
        for command in [["run", "notice.yaml"], ["report"], ["doctor"]] {
            let result = try await Binary.run(
                command, in: workspace,
                environment: [
                    "HUBSEND_STORE": store, "PGPASSFILE": workspace.file("passwords"),
                ])
            #expect(!result.complaints.contains("pooler"), "\(result.complaints)")
            #expect(command == ["doctor"] || result.status == 0, "\(result.complaints)")
        }
    }

    @Test(
        "A worker and the backend stop although the server hangs",
        arguments: [
            ["worker", "--json"],
            ["serve", "--users", "users", "--listen", "127.0.0.1:0", "--json"],
        ])
    func workerAndTheBackendStopAlthoughTheServerHangs(command: [String]) async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let workspace = try Workspace(["users": Self.users])
        let process = try await Binary.start(
            command, in: workspace,
            environment: Self.hub.merging(
                ["HUBSEND_STORE": try await server.address(as: role).text]) { $1 })
        _ = try await process.firstLine()
        let stopped = try await server.stopSessions(of: role)
        process.signal(SIGTERM)
        try await process.end(0)
        withExtendedLifetime(stopped) {}
    }

    /// Runs a slow campaign, and calls the test once its second push has been sent.
    private func duringARun(
        of people: [String], rate: String, as role: String,
        _ body: (_ run: ChildProcess, _ hub: LocalHubServer) async throws -> Void
    ) async throws {
        let address = try await PostgreSQLServer.shared.address(as: role)
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people, delivery: ["rate: \(rate)", "concurrency: 4"])
        ])
        let reached = Milestone()
        try await HubFixture.run(
            people: people,
            fault: { send in
                if send.ordinal == 2 { reached.reach() }
                return nil
            }
        ) { environment, hub in
            let run = try await Binary.start(
                ["run", "notice.yaml", "--store", address.text], in: workspace,
                environment: environment)
            try await run.wait(for: reached)
            try await body(run, hub)
        }
    }

    @Test("A run stops although the server hangs")
    func runStopsAlthoughTheServerHangs() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let people = Campaigns.people(200)
        try await duringARun(of: people, rate: "1/s", as: role) { run, hub in
            let stopped = try await server.stopSessions(of: role)
            defer { withExtendedLifetime(stopped) {} }
            run.signal(SIGTERM)
            let result = try await run.result()
            // The exit code is 75 if the pause could not be recorded.
            #expect([75, 143].contains(result.status), "\(result.complaints)")
            #expect(hub.counts.sends < people.count)
        }
    }

    @Test("A run continues when its server accepts writes again")
    func runContinuesWhenItsServerAcceptsWritesAgain() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let people = Campaigns.people(12)
        try await duringARun(of: people, rate: "4/s", as: role) { run, hub in
            try await server.change(role, "SET default_transaction_read_only = on")
            // Waits until the run has a session that does not accept writes; the session remains
            // read-only.
            try await server.administer(
                """
                DO $$ BEGIN
                    WHILE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE usename = '\(role)') LOOP
                        PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
                    END LOOP;
                END $$;
                ALTER ROLE \(role) RESET default_transaction_read_only
                """)
            try await run.end(0)
            #expect(hub.counts.sends == people.count)
        }
    }
}
