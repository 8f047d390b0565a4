import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct RetentionTests: StoreFileSuite {
    private static let day = 86_400.0
    private static let run = Samples.runID()
    private static let end = Samples.start + 3_600
    /// The time when the samples' payloads have expired.
    private static let later = Samples.start + 8 * day

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(isInMemory: true) }

    /// A store with a finished run of five people with all kinds of events.
    private func withAFinishedRun() async throws -> (store: SQLiteStore, place: ReceiptKey) {
        let store = try SQLiteStore.open(at: path)
        return (store, try await StoreUnderTest { store }.stageFinishedRun(endingAt: Self.end))
    }

    private func rows(of table: String, in store: SQLiteStore) async throws -> Int {
        try await store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    private static let tables = [
        "recipients", "notifications", "notification_ids", "deliveries", "receipts", "contents",
        "telemetry",
    ]

    @Test("A deleted run leaves no rows, and the store can still be opened")
    func deletedRunLeavesNoRowsAndTheStoreCanStillBeOpened() async throws {
        let (store, place) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        for table in Self.tables { #expect(try await rows(of: table, in: store) == 0, "\(table)") }
        // A slow device's receipt arrives too late.
        try await store.record([Receipt(place: place, kind: .read, time: Self.later)])
        #expect(try await rows(of: "receipts", in: store) == 0)
        try store.close()
        try SQLiteStore.open(at: path).close()
    }

    @Test("An interrupted deletion continues, and no half-deleted data is read")
    func interruptedDeletionContinuesAndNoHalfDeletedDataIsRead() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stagePersonal(Samples.names(900), of: Samples.run(platforms: [.apns]))
        try await test.accept(1...900, of: Self.run)
        try await store.setState(.finished, reason: nil, of: Self.run, at: Self.end)
        let other = Samples.run("bbbbbb", campaign: "b")
        try await test.stage(Samples.names(3), of: other)
        let untouched = try await test.report(other.id)
        let outcomes = try await store.outcomes(Self.run)
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER trouble BEFORE DELETE ON recipients WHEN old.number = 50
                    BEGIN SELECT RAISE(ABORT, 'trouble'); END
                    """)
        }
        await #expect(throws: StoreError.self) {
            try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        }
        let left = try await rows(of: "recipients", in: store) - 3
        #expect(left >= 50 && left < 900)
        #expect(try await store.outcomes(Self.run) == outcomes)
        let error = StoreError.deliveriesDeleted(Self.run, Self.later)
        await #expect(throws: error) { try await test.report() }
        // The remaining people are found among the remaining rows.
        let names = Samples.names(900)
        #expect(try await store.reportRows(Self.run, of: names[0]).isEmpty)
        #expect(try await store.forget(names[10], at: Self.later).runs == 1)
        #expect(try await store.check().damage == [])
        try await store.pool.write { try $0.execute(sql: "DROP TRIGGER trouble") }
        try store.close()

        let next = try SQLiteStore.open(at: path)
        // The deletion of a run had begun and is completed, although the run is now too new to
        // delete.
        let deleted = try await next.deleteDeliveries(
            ofRunsEndedBy: Self.end - Self.day, at: Self.later + 60, isDryRun: false)
        #expect(deleted == DeletedDeliveries(continued: 1))
        #expect(try await rows(of: "recipients", in: next) == 3)
        #expect(try await rows(of: "deliveries", in: next) == 0)
        #expect(try await next.outcomes(Self.run) == outcomes)
        #expect(try await next.run(Self.run)?.deliveriesDeleted == Self.later)
        #expect(try await next.reportPage(other.id, after: 0, recipients: 9).rows.count == 6)
        #expect(untouched.count == 6)
        #expect(try await next.check().damage == [])
    }

    @Test("Finishing a deletion does not hide damaged totals")
    func finishingADeletionDoesNotHideDamagedTotals() async throws {
        let (store, _) = try await withAFinishedRun()
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER trouble BEFORE DELETE ON recipients
                    BEGIN SELECT RAISE(ABORT, 'trouble'); END
                    """)
        }
        await #expect(throws: StoreError.self) {
            try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        }
        try await damage(store, "UPDATE run_sums SET sums = sums || ' '")
        try await store.pool.write { try $0.execute(sql: "DROP TRIGGER trouble") }
        let deleted = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(deleted == DeletedDeliveries(continued: 1))
        #expect(try await rows(of: "run_sums WHERE NOT is_begun", in: store) == 1)
        await #expect(throws: StoreError.corrupt(place)) {
            _ = try await store.outcomes(Self.run)
        }
    }

    /// A pace whose transactions have time for only one part, and that ends after the first
    /// transaction.
    private static var slowPace: WritePace {
        WritePace(most: 5_000, clock: TickingClock(tick: .seconds(1)))
    }

    @Test("A transaction deletes only as many people as its time allows")
    func transactionDeletesOnlyAsManyPeopleAsItsTimeAllows() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stagePersonal(Samples.names(90), of: Samples.run(platforms: [.apns]))
        let run = try await store.read { db in try StoredRun(of: Self.run, db).key }
        await #expect(throws: CancellationError.self) {
            var pace = Self.slowPace
            try await store.deleteRows(of: run, pace: &pace)
        }
        // A person of a run with one platform has at most six rows, and a part has 256 of them.
        #expect(try await rows(of: "recipients", in: store) == 90 - 42)
        #expect(try await rows(of: "notification_ids", in: store) == 90 - 42)
    }

    @Test("A transaction moves only as many pages as its time allows")
    func transactionMovesOnlyAsManyPagesAsItsTimeAllows() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.pool.write { db in
            try db.execute(sql: "CREATE TABLE filler (bytes BLOB)")
            try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(400000))")
            try db.execute(sql: "DROP TABLE filler")
        }
        let free: @Sendable (Database) throws -> Int? = {
            try Int.fetchOne($0, sql: "PRAGMA freelist_count")
        }
        let before = try #require(try await store.read(free))
        #expect(before > 64)
        await #expect(throws: CancellationError.self) {
            try await store.movePages(freeing: before, pace: Self.slowPace)
        }
        #expect(try await store.read(free) == before - 16)
    }

    /// A store with finished runs for three people each; each person has their own payload.
    private func withFinishedRuns(_ suffixes: String...) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        for suffix in suffixes {
            let run = Samples.run(suffix, campaign: suffix, platforms: [.apns])
            try await test.stagePersonal(Samples.names(3), of: run)
            try await test.accept(1...3, of: run.id)
            try await store.setState(.finished, reason: nil, of: run.id, at: Self.end)
        }
        return store
    }

    private func count(_ condition: String, in store: SQLiteStore) async throws -> Int {
        try await rows(of: "runs WHERE \(condition)", in: store)
    }

    @Test("Others can write between the deletion of two small runs")
    func othersCanWriteBetweenTheDeletionOfTwoSmallRuns() async throws {
        let store = try await withFinishedRuns("aaaaaa", "bbbbbb")
        await #expect(throws: CancellationError.self) {
            try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false, pace: Self.slowPace)
        }
        #expect(try await count("deliveries_deleted IS NOT NULL", in: store) == 1)
        #expect(try await rows(of: "recipients", in: store) == 3)
        // The deletion of this run continues, and others can write before the next run is deleted.
        await #expect(throws: CancellationError.self) {
            try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false, pace: Self.slowPace)
        }
        #expect(try await count("deliveries_deleted IS NOT NULL", in: store) == 1)
    }

    @Test("Others can write between the purge of two small runs")
    func othersCanWriteBetweenThePurgeOfTwoSmallRuns() async throws {
        let store = try await withFinishedRuns("aaaaaa", "bbbbbb")
        let runs = try await store.read { try Int64.fetchAll($0, sql: "SELECT key FROM runs") }
        await #expect(throws: CancellationError.self) {
            var pace = Self.slowPace
            _ = try await store.purge(runs, at: StoredTime.milliseconds(Self.later), pace: &pace)
        }
        #expect(try await count("purged IS NOT NULL", in: store) == 1)
    }

    @Test("There is no pause after the last run") func thereIsNoPauseAfterTheLastRun() async throws
    {
        let store = try await withFinishedRuns("aaaaaa")
        var pace = Self.slowPace
        let runs = try await store.read { try Int64.fetchAll($0, sql: "SELECT key FROM runs") }
        let counts = try await store.purge(
            runs, at: StoredTime.milliseconds(Self.later), pace: &pace)
        #expect(counts.notifications == 3)
        let deleted = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false, pace: Self.slowPace)
        #expect(deleted.runs == 1)
        #expect(try await rows(of: "recipients", in: store) == 0)
    }

    @Test("Only one process deletes at a time") func onlyOneProcessDeletesAtATime() async throws {
        _ = try await withAFinishedRun()
        let lock = try #require(
            try StoreLock(ofStoreAt: path).acquire(campaign: DueRun.lock))
        let other = try SQLiteStore.open(at: path)
        let nothing = try await other.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(nothing == DeletedDeliveries())
        lock.release()
        let deleted = try await other.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(deleted.runs == 1)
    }

    @Test(
        "Totals changed by another program are reported as damage",
        arguments: [
            "UPDATE run_sums SET sums = replace(sums, '\"tried\":5', '\"tried\":6')",
            "UPDATE run_sums SET sums = '{}'",
            "DELETE FROM run_sums",
            "UPDATE runs SET deliveries_deleted = 1",
        ])
    func totalsChangedByAnotherProgramAreReportedAsDamage(change: String) async throws {
        let (store, _) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        try await damage(store, change)
        await #expect(throws: StoreError.corrupt(place)) { try await store.verify(Self.run) }
    }

    @Test("Rows left from a deleted run are reported as damage")
    func rowsLeftFromADeletedRunAreReportedAsDamage() async throws {
        let (store, _) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        try await store.pool.write { db in
            try db.execute(
                sql: "INSERT INTO recipients (run, number, name) SELECT key, 1, 'x' FROM runs")
        }
        #expect(try await store.check().damage == [.strangers(Self.run, table: "recipients")])
    }

    /// One run every eight days; payloads are kept for 20 days, and deliveries for 80.
    @Test("The file stops growing over 400 days, and totals are kept")
    func fileStopsGrowingOver400DaysAndTotalsAreKept() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let people = Samples.names(60)
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var runs: [RunRecord] = []
        var sizes: [Int] = []
        // Every fourth day, something is due for deletion.
        for day in stride(from: 0, to: 400, by: 4) {
            let now = Samples.start + Double(day) * Self.day
            if day.isMultiple(of: 8) {
                let number = runs.count
                let suffix = "aaaa\(letters[number / 26])\(letters[number % 26])"
                var run = Samples.run(
                    suffix, occurrence: Occurrence(checked: suffix), platforms: [.apns],
                    started: now)
                run.expires = now + 7 * Self.day
                try await test.stagePersonal(people, of: run)
                _ = try await store.claimNext(run.id, platform: .apns, limit: 60, at: now)
                try await store.record(
                    (1...60).map { number in
                        var record = Samples.record(
                            number, .apns, .ended(number == 7 ? .rejected : .accepted))
                        record.recordedAt = now
                        return record
                    }, requests: 60, of: run.id)
                try await store.setState(.finished, reason: nil, of: run.id, at: now)
                runs.append(run)
            }
            let payloads = try await store.purgePayloads(
                ofRunsEndedBy: now - 20 * Self.day, at: now)
            let deliveries = try await store.deleteDeliveries(
                ofRunsEndedBy: now - 80 * Self.day, at: now, isDryRun: false)
            #expect(payloads.notifications == (day >= 20 && day % 8 == 4 ? 60 : 0))
            #expect(deliveries.runs == (day >= 80 && day % 8 == 0 ? 1 : 0))
            if deliveries.runs > 0 {
                _ = try await store.giveSpaceBack(isBrief: true)
                sizes.append(try store.inode.size())
            }
        }
        // Only the pages of the totals, which are small, still grow.
        let halves = (sizes[..<(sizes.count / 2)].max(), sizes[(sizes.count / 2)...].max())
        let first = try #require(halves.0)
        #expect(try #require(halves.1) < first + first / 4)
        let last = Samples.start + 399 * Self.day
        for run in runs {
            let isOld = run.started <= last - 80 * Self.day
            #expect(try await (store.run(run.id)?.deliveriesDeleted != nil) == isOld)
            #expect(
                try await store.outcomes(run.id) == OutcomeCounts([.accepted: 59, .rejected: 1]))
            #expect(try await store.reach(run.id) == Reach(accepted: 59))
            if !isOld { #expect(try await test.report(run.id).count == 60) }
        }
        #expect(try await store.check().damage == [])
    }
}
