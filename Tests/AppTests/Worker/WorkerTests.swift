import Foundation
import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct WorkerTests {
    private static let hub = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0",
        "HUBSEND_HUB_NAME": "news",
    ]

    @Test(
        "A worker reports that it is ready, serves its status and stops cleanly",
        .enabled(if: InstalledTool.areThere("curl")))
    func workerReportsThatItIsReadyServesItsStatusAndStopsCleanly() async throws {
        let server = try await PostgreSQLServer.shared.emptyStore().text
        let workspace = try Workspace()
        let worker = try await Binary.start(
            ["worker", "--listen", "127.0.0.1:0", "--json", "--store", server], in: workspace,
            environment: Self.hub)
        let ready = try JSONDecoder().decode(
            [String: String].self, from: Data(try await worker.firstLine().utf8))
        let url = try #require(ready["url"])
        let curl = try await ChildProcess.start(
            "/usr/bin/env", ["curl", "--silent", "--fail", "\(url)/health", "\(url)/metrics"])
        let answers = try await curl.end(0)
        #expect(answers.output.hasPrefix("The worker takes part in 0 runs.\n"), "\(answers.output)")
        #expect(answers.output.contains("\nhubsend_worker_store_up 1\n"), "\(answers.output)")
        worker.signal(15)
        let result = try await worker.end(0)
        #expect(result.complaints.isEmpty, "\(result.complaints)")
        #expect(result.output.isEmpty, "\(result.output)")
    }
}
