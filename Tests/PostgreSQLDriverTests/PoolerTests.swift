import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

/// A PgBouncer in front of the server.
@Suite(.bounded, .postgreSQL, .pgBouncer) struct PoolerTests {
    private let server = PostgreSQLServer.shared
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var options: PostgreSQLStoreOptions { PostgreSQLStoreOptions(keyFolder: folder.path) }

    @Test("With a pooler in session mode, the store keeps its promises")
    func withAPoolerInSessionModeTheStoreKeepsItsPromises() async throws {
        let pooler = try await PgBouncer(before: server, mode: .session)
        // Every fifth promise, so that each kind is covered.
        for promise in StorePromise.all.enumerated().filter({ $0.offset % 5 == 0 }).map(\.element) {
            let folder = try TemporaryFolder()
            let address = try pooler.address(as: try await server.roleWithStore())
            let options = PostgreSQLStoreOptions(keyFolder: folder.path)
            var test = try StoreUnderTest {
                try PostgreSQLStore.open(at: address, options: options)
            }
            test.open = { key in
                var options = options
                options.common.payloadKey = key
                return try PostgreSQLStore.open(at: address, options: options)
            }
            try await promise.check(test)
        }
    }

    @Test(
        "A pooler without sessions is refused before anything changes",
        arguments: [PgBouncer.Mode.transaction, .statement], ["0", "1"])
    func poolerWithoutSessionsIsRefusedBeforeAnythingChanges(
        mode: PgBouncer.Mode, roundRobin: String
    ) async throws {
        let pooler = try await PgBouncer(
            before: server, mode: mode, more: "server_round_robin = \(roundRobin)")
        let role = try await server.roleWithStore()
        let address = try pooler.address(as: role)
        let refusal = StoreError.withoutSessions(.server(address.description))
        #expect(throws: refusal) { try PostgreSQLStore.open(at: address, options: options) }
        #expect(throws: refusal) {
            try PostgreSQLStore.openForReading(at: address, options: options)
        }
        #expect(throws: refusal) { try PostgreSQLStore.checkPlace(at: address) }
        // Other clients' sessions are unchanged.
        let direct = PostgreSQLPool(try await server.address(as: role))
        defer { direct.close() }
        try await direct.withConnection { db in
            let tables = try db.row(
                "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
            #expect(try tables?.int(0) == 0)
        }
    }

    @Test("A pooler's refusal of options is reported")
    func poolersRefusalOfOptionsIsReported() async throws {
        let pooler = try await PgBouncer(before: server, mode: .session)
        let address = try pooler.address("options=-csearch_path%3Dpublic")
        let error = #expect(throws: StoreError.self) {
            try PostgreSQLStore.open(at: address, options: options)
        }
        guard case .refused(_, let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.contains("unsupported startup parameter: options"))
        #expect(reason.contains("ALTER ROLE"))
    }
}
