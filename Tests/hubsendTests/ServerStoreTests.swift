import Foundation
import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

/// A store on a PostgreSQL server: the real binary, a real server, the local hub.
@Suite(.bounded, .postgreSQL) struct ServerStoreTests {
    /// The report's outcomes, without what differs from run to run.
    private static func outcomes(_ report: String) -> [[String]] {
        report.split(separator: "\n").map { row in
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            return [2, 3, 5, 6, 8].map { String(cells[$0]) }
        }
    }

    @Test func aCampaignComesToTheSameWithAStoreOnAServerAsWithOneInAFile() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        var reports: [[[String]]] = []
        for store in ["store.sqlite", server] {
            let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
            func run(_ words: String...) async throws -> String {
                let result = try await Binary.run(words + ["--store", store], in: workspace)
                #expect(result.status == 0, "\(words): \(result.complaints)")
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

    @Test func aHostWithAnotherKeyBeginsNoRun() async throws {
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
        #expect(second.complaints.contains("another key than this host's"))
        let runs = try await call("runs", "--format", "json", key: 1)
        #expect(
            (try JSONSerialization.jsonObject(with: Data(runs.output.utf8)) as? [Any])?.count == 1)
    }

    @Test func theBackendServesFromAServersStoreAndEndsWhenTheStoreIsGone() async throws {
        let address = try await PostgreSQLServer.shared.emptyStore()
        let hash = "$2b$10$/FdDZ/KTLjOXfsgpWwX10Ojfxdp8kq3QLbEa4PFNKIUvMDSE748tG"
        let workspace = try Workspace(["users": "alice:\(hash)\n"])
        let serve = try await Binary.start(
            [
                "serve", "--users", "users", "--listen", "127.0.0.1:0", "--json", "--store",
                address.text,
            ], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0",
                "HUBSEND_HUB_NAME": "news",
            ])
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
        let result = try await serve.result()
        #expect(result.status == 2)
        #expect(result.complaints.contains("replaced, moved or deleted"), "\(result.complaints)")
    }

    @Test func theBackupOfAServersStoreIsLeftToTheServer() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        let workspace = try Workspace()
        let backup = try await Binary.run(
            ["store", "backup", "b.sqlite"], in: workspace, environment: ["HUBSEND_STORE": server])
        #expect(backup.status == 2)
        #expect(backup.complaints.contains("pg_dump"))
        #expect(try !workspace.listing().contains("b.sqlite"))
    }
}
