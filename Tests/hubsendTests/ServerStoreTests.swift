import Foundation
import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

/// A store on a PostgreSQL server: the real binary, a real server, the local hub.
@Suite(.bounded, .postgreSQL) struct ServerStoreTests {
    /// What a report says became of people, without what differs from run to run.
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
