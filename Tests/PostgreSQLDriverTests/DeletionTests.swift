import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct DeletionTests {
    private static let end = Samples.start + 3_600
    private static let later = Samples.start + 8 * 86_400

    /// Stages a run whose estimated size gives it its own partitions, and ends it.
    private static func finishLargeRun(_ run: RunRecord, in store: PostgreSQLStore) async throws {
        let test = try StoreUnderTest { store }
        try await store.begin(run, expecting: StoreSchema.partitionPeople)
        try await store.append(
            Samples.names(3).map { name in
                StagedRecipient(username: name, notification: Samples.notification("dear \(name)"))
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
        try await test.accept(1...3, of: run.id)
        try await store.setState(.finished, reason: nil, of: run.id, at: end)
    }

    private static func partitions(_ store: PostgreSQLStore) async throws -> Int? {
        let tables = StoreSchema.partitioned.map { "'\($0)'::regclass" }.joined(separator: ", ")
        return try await store.number(
            "SELECT count(*) FROM pg_inherits WHERE inhparent IN (\(tables))")
    }

    /// The tables with data about individual people that contain rows.
    private static func filled(_ store: PostgreSQLStore) async throws -> [String] {
        let tables = StoreSchema.partitioned + ["notification_ids", "run_contents", "contents"]
        var filled: [String] = []
        for table in tables where try await store.number("SELECT count(*) FROM \(table)") != 0 {
            filled.append(table)
        }
        return filled
    }

    @Test("Deletion drops a large run's partitions and a small run's rows")
    func deletionDropsALargeRunsPartitionsAndASmallRunsRows() async throws {
        let store = try await StoreOnServer().open()
        let few = StoreSchema.partitioned.count
        try await StoreUnderTest { store }.stageFinishedRun(endingAt: Self.end)
        let large = Samples.run("bbbbbb", campaign: "other")
        try await Self.finishLargeRun(large, in: store)
        #expect(try await Self.partitions(store) == 2 * few)
        let outcomes = try await store.outcomes(large.id)
        let deleted = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(deleted == DeletedDeliveries(runs: 2, people: 8))
        #expect(try await Self.partitions(store) == few)
        for table in StoreSchema.partitioned {
            let name = "\(table)_\(StoreSchema.firstPartitionedKey)"
            #expect(
                try await store.number("SELECT 1 FROM pg_class WHERE oid = to_regclass('\(name)')")
                    == nil)
        }
        #expect(try await Self.filled(store) == [])
        #expect(try await store.outcomes(large.id) == outcomes)
        #expect(try await store.check().damage == [])
    }

    /// A long read, such as a backup.
    @Test("A later call finishes the deletion of a run that is being read")
    func laterCallFinishesTheDeletionOfARunThatIsBeingRead() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let hasty = try server.open(lockTimeout: .milliseconds(50))
        let run = Samples.run()
        try await Self.finishLargeRun(run, in: store)
        let outcomes = try await store.outcomes(run.id)
        let session = try store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { db in
            try db.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try db.execute("SELECT * FROM recipients")
        }
        let first = try await hasty.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(first == DeletedDeliveries(runs: 1, people: 3))
        #expect(try await store.outcomes(run.id) == outcomes)
        await #expect(throws: StoreError.deliveriesDeleted(run.id, Self.later)) {
            try await store.reportPage(run.id, after: 0, recipients: 9)
        }
        // Other sessions write in the meantime.
        try await StoreUnderTest { store }.stage(
            Samples.names(2), of: Samples.run("bbbbbb", campaign: "other"))
        let again = try await hasty.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(again == DeletedDeliveries(continued: 1))
        try session.withConnection { db in
            #expect(try db.rows("SELECT * FROM recipients").count == 3)
            try db.executeScript("COMMIT")
        }
        func goOn() async throws -> DeletedDeliveries {
            try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        }
        // Does nothing until the server has released the lock of the previous call.
        var next = try await goOn()
        while next == DeletedDeliveries() { next = try await goOn() }
        #expect(next == DeletedDeliveries(continued: 1))
        // A call ends after it has waited five seconds for other readers of the database, such as
        // other tests.
        while try await goOn() == DeletedDeliveries(continued: 1) {}
        #expect(try await Self.partitions(store) == StoreSchema.partitioned.count)
        #expect(try await store.outcomes(run.id) == outcomes)
        #expect(try await goOn() == DeletedDeliveries())
    }

    @Test("Only one of several hosts deletes each run")
    func onlyOneOfSeveralHostsDeletesEachRun() async throws {
        let server = try await StoreOnServer()
        let stores = try (0..<3).map { _ in try server.open() }
        for suffix in ["aaaaaa", "bbbbbb", "cccccc"] {
            try await Self.finishLargeRun(Samples.run(suffix, campaign: suffix), in: stores[0])
        }
        let deleted = try await withThrowingTaskGroup(of: DeletedDeliveries.self) { tasks in
            for store in stores {
                tasks.addTask {
                    try await store.deleteDeliveries(
                        ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
                }
            }
            return try await tasks.reduce(into: (runs: 0, people: 0)) { sum, part in
                sum.runs += part.runs
                sum.people += part.people
            }
        }
        #expect(deleted.runs == 3)
        #expect(deleted.people == 9)
        #expect(try await Self.partitions(stores[0]) == StoreSchema.partitioned.count)
        #expect(try await Self.filled(stores[0]) == [])
    }
}
