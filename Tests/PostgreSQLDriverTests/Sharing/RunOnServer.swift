import CampaignCore
import Storage
import StoreConformance
import Testing

@testable import PostgreSQLDriver

struct RunOnServer {
    let server: StoreOnServer
    /// A store that has not joined the run.
    let store: PostgreSQLStore
    let run: RunRecord

    /// Requests per second; nil means no limit.
    init(people: Int = 3, rate: Double? = 100) async throws {
        server = try await StoreOnServer()
        store = try server.open()
        var run = Samples.run(platforms: [.apns])
        run.delivery.rate = rate
        self.run = run
        try await StoreUnderTest { [store] in store }.stage(Samples.names(people), of: run)
    }

    func join(_ host: String = "a") async throws -> ServerPart {
        let process = WorkerProcess(host: host, number: 7, version: "1.2.3")
        let part = try await server.open().sharing?.join(run.id, as: process, holding: nil)
        return try #require(part as? ServerPart)
    }

    /// Lets a part's lease expire by the server's clock.
    func expire(_ part: ServerPart) async throws {
        try await server.execute(
            """
            UPDATE run_members SET until = clock_timestamp() - interval '1 hour'
            WHERE member = \(part.member)
            """)
    }

    /// Takes over expired parts, as another process would.
    @discardableResult
    func takeOver() async throws -> Int {
        try await store.write { db in
            try RunMember.takeOverExpired(of: StoredRun(of: run.id, db).key, db)
        }
    }

    /// Counts rows across all runs.
    func count(_ table: String, where condition: String = "true") async throws -> Int? {
        try await store.number("SELECT count(*) FROM \(table) WHERE \(condition)")
    }
}
