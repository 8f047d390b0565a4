import CampaignCore
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct LargeRunTests {
    private static let many = StoreSchema.partitionPeople

    private static func partitions(_ store: PostgreSQLStore) async throws -> Int? {
        try await store.number(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'deliveries'::regclass")
    }

    private static func stage(_ run: RunRecord, _ store: PostgreSQLStore) async throws {
        let names = Samples.names(3)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(
            names.map { name in
                StagedRecipient(username: name, withheld: name == names[1] ? [.apns] : [])
            }, to: run.id)
    }

    @Test("A large run gets its own partitions, and small runs share one partition")
    func largeRunGetsItsOwnPartitionsAndSmallRunsShareOnePartition() async throws {
        let store = try await StoreOnServer().open()
        let (large, small) = (Samples.run("aaaaaa"), Samples.run("bbbbbb", campaign: "other"))
        try await store.begin(small, expecting: Self.many - 1)
        #expect(try await Self.partitions(store) == 1)
        try await store.begin(large, expecting: Self.many)
        #expect(try await Self.partitions(store) == 2)
        for run in [large, small] {
            try await Self.stage(run, store)
            try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
            try await store.verify(run.id)
        }
        let key = StoreSchema.firstPartitionedKey
        for table in ["recipients_\(key)", "recipients_few"] {
            #expect(try await store.number("SELECT count(*) FROM \(table)") == 3)
        }
        for table in ["notifications_\(key)", "deliveries_\(key)", "deliveries_few"] {
            #expect(try await store.number("SELECT count(*) FROM \(table)") == 1)
        }
    }

    @Test("A large run's name index is created after all its people are stored")
    func largeRunsNameIndexIsCreatedAfterAllItsPeopleAreStored() async throws {
        let store = try await StoreOnServer().open()
        let run = Samples.run()
        let key = StoreSchema.firstPartitionedKey
        let count = """
            SELECT count(*) FROM pg_indexes
            WHERE schemaname = current_schema() AND indexdef LIKE '%recipients_\(key) %(run, name)'
            """
        try await store.begin(run, expecting: Self.many)
        try await Self.stage(run, store)
        #expect(try await store.number(count) == 0)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
        #expect(try await store.number(count) == 1)
        try await store.verify(run.id)
    }

    @Test("A large run starts without waiting for others")
    func largeRunStartsWithoutWaitingForOthers() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        try await store.begin(Samples.run("aaaaaa"))
        let session = try store.pool.dedicatedConnection()
        defer { session.close() }
        // An open transaction that reads and writes in all tables.
        try session.withConnection { db in
            try db.executeScript("BEGIN")
            for table in StoreSchema.partitioned { try db.execute("SELECT * FROM \(table)") }
            try db.execute("INSERT INTO receipts (run, number) SELECT key, 1 FROM runs")
        }
        let run = Samples.run("bbbbbb", campaign: "other")
        try await store.begin(run, expecting: Self.many)
        try await Self.stage(run, store)
        // The open transaction does not wait either.
        try session.withConnection { db in
            for table in StoreSchema.partitioned { try db.execute("SELECT * FROM \(table)") }
            try db.executeScript("COMMIT")
        }
    }

    @Test("A large run that is staged again keeps its partitions")
    func largeRunThatIsStagedAgainKeepsItsPartitions() async throws {
        let store = try await StoreOnServer().open()
        let run = Samples.run()
        try await store.begin(run, expecting: Self.many)
        try await Self.stage(run, store)
        try await store.requestStop(run.id, .resumable)
        for _ in 0..<2 { try await store.clearStaging(run.id) }
        for table in ["recipients", "notifications", "deliveries"] {
            #expect(try await store.number("SELECT count(*) FROM \(table)") == 0)
        }
        // Staging fewer people than before makes no difference.
        try await store.begin(run, expecting: 3)
        #expect(try await Self.partitions(store) == 2)
        #expect(try await store.stopRequest(run.id) == .resumable)
        try await Self.stage(run, store)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
        try await store.verify(run.id)
    }

    @Test("A small run that is staged again with many people gets partitions")
    func smallRunThatIsStagedAgainWithManyPeopleGetsPartitions() async throws {
        let store = try await StoreOnServer().open()
        let run = Samples.run()
        try await store.begin(run)
        try await Self.stage(run, store)
        try await store.requestStop(run.id, .final)
        try await store.clearStaging(run.id)
        try await store.begin(run, expecting: Self.many)
        #expect(try await Self.partitions(store) == 2)
        #expect(try await store.stopRequest(run.id) == .final)
        try await Self.stage(run, store)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
        try await store.verify(run.id)
    }

    @Test("Only one of several hosts starts an occurrence")
    func onlyOneOfSeveralHostsStartsAnOccurrence() async throws {
        let server = try await StoreOnServer()
        let suffixes = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"]
        let stores = try suffixes.map { _ in try server.open() }
        let begun = try await withThrowingTaskGroup(of: Bool.self) { tasks in
            for (store, suffix) in zip(stores, suffixes) {
                tasks.addTask {
                    do {
                        try await store.begin(Samples.run(suffix), expecting: Self.many)
                        return true
                    } catch StoreError.runExists {
                        return false
                    }
                }
            }
            return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun == 1)
        #expect(try await Self.partitions(stores[0]) == 2)
    }

    @Test("Content that several hosts store at the same time is stored once")
    func contentThatSeveralHostsStoreAtTheSameTimeIsStoredOnce() async throws {
        let server = try await StoreOnServer()
        let suffixes = ["aaaaaa", "bbbbbb", "cccccc"]
        let stores = try suffixes.map { _ in try server.open() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (store, suffix) in zip(stores, suffixes) {
                tasks.addTask {
                    let run = Samples.run(suffix, campaign: suffix)
                    try await store.begin(run)
                    try await store.store(Samples.notification(), of: run.id)
                }
            }
            try await tasks.waitForAll()
        }
        #expect(try await stores[0].number("SELECT count(*) FROM contents") == 1)
        #expect(
            try await stores[0].number("SELECT count(DISTINCT content) FROM notifications") == 1)
    }
}
