import CampaignCore
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct StoreCheckTests {
    private static func staged(
        waves: [Int] = []
    ) async throws -> (StoreOnServer, PostgreSQLStore) {
        let server = try await StoreOnServer()
        let store = try server.open()
        let run = Samples.run()
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        if !waves.isEmpty { try await store.store(Samples.waves(waves), of: run.id) }
        try await store.append(Samples.names(4).map { StagedRecipient(username: $0) }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 4))
        return (server, store)
    }

    @Test("An intact store reports its contents") func intactStoreReportsItsContents() async throws
    {
        let (_, store) = try await Self.staged(waves: [1, 3])
        try await store.checkPages()
        let health = try await store.check()
        #expect(health.damage == [])
        #expect(health.runs == 1)
        #expect(health.recipients == 4)
        #expect(health.outcomes == 0)
        #expect(health.bytes > 100_000)
        #expect(health.hasChecksums != nil)
    }

    private static let run = Samples.runID()

    @Test(
        "Missing and unknown rows of a run are found",
        arguments: [
            ("DELETE FROM recipients WHERE number = 2", [StoreDamage.run(run)]),
            ("UPDATE runs SET final = 5", [.run(run)]),
            ("UPDATE contents SET bytes = 'other'", [.run(run)]),
            (
                "UPDATE run_platforms SET claimed = 5 WHERE position = 1",
                [strangers("run_platforms")]
            ),
            (
                """
                INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded)
                SELECT key, 7, 1, 2, 1, false, 0 FROM runs
                """, [strangers("deliveries")]
            ),
            (
                "INSERT INTO receipts (run, number, fetched) SELECT key, 5, 0 FROM runs",
                [strangers("receipts")]
            ),
            ("DELETE FROM notifications", [.lostPayloads(run)]),
            (
                "INSERT INTO claimed_pages (run, platform, first, last) SELECT key, 0, 1, 2 FROM runs",
                [strangers("claimed_pages")]
            ),
            (
                """
                UPDATE run_platforms SET claimed = 4;
                INSERT INTO claimed_pages (run, platform, first, last, member, serial)
                SELECT key, 0, 1, 2, 7, 1 FROM runs
                """, [strangers("claimed_pages")]
            ),
            (
                """
                INSERT INTO deliveries
                    (run, platform, number, state, attempts, is_uncertain, recorded, member)
                SELECT key, 0, 1, 1, 1, false, 0, 7 FROM runs
                """, [strangers("deliveries")]
            ),
            (
                """
                INSERT INTO run_members (run, host, process, version, joined, until, seen)
                SELECT key, 'a', 1, '1', now(), now(), now() FROM runs;
                INSERT INTO deliveries
                    (run, platform, number, state, attempts, is_uncertain, recorded, member)
                SELECT run, 0, 1, 2, 1, false, 0, member FROM run_members
                """, [strangers("deliveries")]
            ),
            (
                """
                INSERT INTO run_members (run, host, process, version, joined, until, seen)
                SELECT key, 'a', 1, '1', now(), now(), now() FROM runs;
                UPDATE runs SET state = 'finished'
                """, [strangers("run_members")]
            ),
        ])
    func missingAndUnknownRowsOfARunAreFound(damage: String, faults: [StoreDamage]) async throws {
        let (server, store) = try await Self.staged()
        try await store.verify(Self.run)
        try await server.execute(damage)
        #expect(try await store.check().damage == faults)
        await #expect(throws: StoreError.corrupt(store.place)) {
            try await store.verify(Self.run)
        }
    }

    @Test("Names out of order are found within a wave, but not between waves")
    func namesOutOfOrderAreFoundWithinAWaveButNotBetweenWaves() async throws {
        let (server, store) = try await Self.staged(waves: [2, 2])
        // In name order, the first two now come after the others.
        try await server.execute("UPDATE recipients SET name = 'x' || name WHERE number <= 2")
        #expect(try await store.check().damage == [])
        try await server.execute("UPDATE recipients SET name = 'z' WHERE number = 3")
        #expect(try await store.check().damage == [.run(Self.run)])
    }

    @Test(
        "Rows without a run are found",
        arguments: [
            ("receipts", "(run, number) VALUES (77, 1)"),
            ("claimed_pages", "(run, platform, first, last) VALUES (77, 0, 1, 1)"),
        ])
    func rowsWithoutARunAreFound(table: String, row: String) async throws {
        let (server, store) = try await Self.staged()
        try await server.execute("INSERT INTO \(table) \(row)")
        #expect(try await store.check().damage == [.reference(from: table, to: "runs")])
    }

    private static func strangers(_ table: String) -> StoreDamage {
        .strangers(run, table: table)
    }
}
