import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteStorage
@testable import Storage

/// What is deleted of runs that ended long ago, and what stays of them.
@Suite(.bounded) struct RetentionTests: StoreFileSuite {
    private static let day = 86_400.0
    private static let run = Samples.runID()
    private static let end = Samples.start + 3_600
    /// When the samples' payloads have expired.
    private static let later = Samples.start + 8 * day

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(isInMemory: true) }

    /// A store with a finished run of five people, in which all kinds of things happened.
    ///
    /// - Returns: the store, and where it keeps what the first of them did.
    private func withAFinishedRun() async throws -> (store: SQLiteStore, place: ReceiptPlace) {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let names = Samples.names(5)
        let ids = try await test.stagePersonal(names)
        try await test.accept(1...5, of: Self.run, on: .fcm)
        _ = try await store.claimNext(Self.run, platform: .apns, limit: 5)
        try await store.record(
            [
                Samples.record(1, .apns, .ended(.accepted)),
                Samples.record(
                    2, .apns, .ended(.rejected), detail: "HTTP 400: bad tag username:user-00002"),
                Samples.record(
                    3, .apns, .ended(.rejected),
                    // Of a request for several people, all are named.
                    detail: "HTTP 400: bad tag username:user-00002 || username:user-00003"),
                Samples.record(
                    4, .apns, .ended(.skipped), attempts: 0,
                    detail: SkipReason.tooLate.detail("its time was up")),
                Samples.record(5, .apns, .ended(.unknown)),
            ], requests: 5, of: Self.run)
        try await test.receive(ids[0], [.fetched, .read], by: names[0])
        try await test.receive(ids[1], [.fetched], by: names[1])
        try await store.setState(.finished, reason: nil, of: Self.run, at: Self.end)
        let received = try await store.notification(ids[0], for: names[0])
        return (store, try #require(received).place)
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

    @Test func theSumsOfARunStayWhenItsDeliveriesAreDeleted() async throws {
        let (store, place) = try await withAFinishedRun()
        let outcomes = try await store.outcomes(Self.run)
        #expect(outcomes.tooLate == 1 && outcomes[.accepted] == 6)
        let reach = try await store.reach(Self.run)
        #expect(reach == Reach(accepted: 5, fetched: 2, read: 1))
        let platforms = try await store.platformOutcomes(Self.run)
        let tried = try await store.peopleTried(Self.run)
        let expected = DeletedDeliveries(runs: 1, people: 5)
        for isDryRun in [true, false] {
            let deleted = try await store.deleteDeliveries(
                ofRunsEndedBy: Self.end, at: Self.later, isDryRun: isDryRun)
            #expect(deleted == expected)
            let left = try await rows(of: "recipients", in: store)
            #expect(left == (isDryRun ? 5 : 0))
        }
        for table in Self.tables { #expect(try await rows(of: table, in: store) == 0, "\(table)") }
        #expect(try await store.run(Self.run)?.deliveriesDeleted == Self.later)
        #expect(try await store.outcomes(Self.run) == outcomes)
        #expect(try await store.reach(Self.run) == reach)
        #expect(try await store.platformOutcomes(Self.run) == platforms)
        #expect(try await store.peopleTried(Self.run) == tried)
        #expect(try await store.course(Self.run, steps: 60) == nil)
        let reasons = [
            TroubleReason(
                outcome: .rejected, reason: "HTTP 400: bad tag username:", count: 2, example: nil),
            TroubleReason(outcome: .unknown, reason: "", count: 1, example: nil),
        ]
        #expect(try await store.reasons(Self.run, limit: 9) == reasons)
        #expect(try await store.reasons(Self.run, limit: 1) == [reasons[0]])
        // A device that was slow is told of too late.
        try await store.record([Receipt(place: place, kind: .read, time: Self.later)])
        #expect(try await rows(of: "receipts", in: store) == 0)
        try await store.verify(Self.run)
        #expect(try await store.check().faults == [])
        let again = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(again == DeletedDeliveries())
        try store.close()
        try SQLiteStore.open(at: path).close()
    }

    @Test func whoAsksForItsPeopleIsToldThatTheyWereDeleted() async throws {
        let (store, _) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        let error = StoreError.deliveriesDeleted(Self.run, Self.later)
        #expect(error.description.contains("2026-12-09"))
        await #expect(throws: error) {
            try await store.reportPage(Self.run, after: 0, recipients: 9)
        }
        await #expect(throws: error) {
            try await store.rest(of: Self.run, with: [.rejected], after: 0, recipients: 9)
        }
        await #expect(throws: error) {
            try await store.people(
                of: Self.run, with: nil, fetched: nil, after: 0, recipients: 9)
        }
        #expect(try await store.reportRows(Self.run, of: Samples.names(1)[0]).isEmpty)
        #expect(try await store.overviews(run: nil, after: nil, limit: 9).isEmpty)
        let forgotten = try await store.forget(Samples.names(1)[0], at: Self.later)
        #expect(forgotten.runs == 0)
    }

    @Test func nothingYoungerAndNothingThatIsNotOverGoes() async throws {
        let (store, _) = try await withAFinishedRun()
        let test = try StoreUnderTest { store }
        var fetchable = Samples.run("bbbbbb", campaign: "b")
        fetchable.expires = Self.later + 1
        let open = Samples.run("cccccc", campaign: "c")
        for run in [fetchable, open] {
            try await test.stage(Samples.names(3), of: run)
            try await test.accept(1...3, of: run.id)
        }
        try await store.setState(.finished, reason: nil, of: fetchable.id, at: Self.end)
        try await store.setState(.paused, reason: "No answer.", of: open.id, at: Self.end)
        let before = (
            fetchable: try await test.report(fetchable.id), open: try await test.report(open.id)
        )
        let early = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end - 0.001, at: Self.later, isDryRun: false)
        #expect(early == DeletedDeliveries())
        #expect(
            try await store.purgePayloads(ofRunsEndedBy: Self.end - 0.001, at: Self.later)
                == PurgeCounts())
        let deleted = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.later, at: Self.later, isDryRun: false)
        #expect(deleted == DeletedDeliveries(runs: 1, people: 5))
        #expect(try await test.report(fetchable.id) == before.fetchable)
        #expect(try await test.report(open.id) == before.open)
        for run in [fetchable.id, open.id] { try await store.verify(run) }
        // What was taken back is waited for no longer.
        try await store.revoke(fetchable.id, at: Self.later)
        let revoked = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.later, at: Self.later, isDryRun: false)
        #expect(revoked == DeletedDeliveries(runs: 1, people: 3))
        #expect(try await test.report(open.id) == before.open)
    }

    @Test func aFallbackStaysForAsLongAsAnotherMayFollow() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        var fallback = Samples.run(
            "ffffff", occurrence: .fallback(of: Self.run, number: 1), kind: .alert)
        fallback.expires = Self.later + 1
        try await test.stage(Samples.names(3), of: fallback)
        try await test.accept(1...3, of: fallback.id)
        try await store.setState(.finished, reason: nil, of: fallback.id, at: Self.end)
        let early = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.later, at: Self.later, isDryRun: false)
        #expect(early == DeletedDeliveries())
        let deleted = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.later, at: Self.later + 1, isDryRun: false)
        #expect(deleted == DeletedDeliveries(runs: 1, people: 3))
    }

    @Test func payloadsOfOldRunsGoAndThoseOfOthersStay() async throws {
        let (store, _) = try await withAFinishedRun()
        let test = try StoreUnderTest { store }
        let run = Samples.run("bbbbbb", campaign: "b")
        let id = try await test.stage(Samples.names(3), of: run)
        try await store.setState(.finished, reason: nil, of: run.id, at: Self.end + 60)
        // As long as they can be fetched, nothing goes.
        let early = try await store.purgePayloads(ofRunsEndedBy: Self.end, at: Self.end)
        #expect(early == PurgeCounts())
        let counts = try await store.purgePayloads(ofRunsEndedBy: Self.end, at: Self.later)
        #expect(counts.notifications == 5)
        #expect(try await store.notification(id)?.bytes != nil)
        #expect(try await test.report().count == 10)
        #expect(
            try await store.purgePayloads(ofRunsEndedBy: Self.end, at: Self.later)
                == PurgeCounts())
    }

    @Test func whatWasInterruptedIsGoneOnWithAndNothingIsReadHalf() async throws {
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
        // Who is left is found among those who are left.
        let names = Samples.names(900)
        #expect(try await store.reportRows(Self.run, of: names[0]).isEmpty)
        #expect(try await store.forget(names[10], at: Self.later).runs == 1)
        #expect(try await store.check().faults == [])
        try await store.pool.write { try $0.execute(sql: "DROP TRIGGER trouble") }
        try store.close()

        let next = try SQLiteStore.open(at: path)
        // A run that is younger than what is kept now was begun with, and is ended.
        let deleted = try await next.deleteDeliveries(
            ofRunsEndedBy: Self.end - Self.day, at: Self.later + 60, isDryRun: false)
        #expect(deleted == DeletedDeliveries(continued: 1))
        #expect(try await rows(of: "recipients", in: next) == 3)
        #expect(try await rows(of: "deliveries", in: next) == 0)
        #expect(try await next.outcomes(Self.run) == outcomes)
        #expect(try await next.run(Self.run)?.deliveriesDeleted == Self.later)
        #expect(try await next.reportPage(other.id, after: 0, recipients: 9).rows.count == 6)
        #expect(untouched.count == 6)
        #expect(try await next.check().faults == [])
    }

    @Test func whileAnotherProcessDeletesThisOneLeavesItToThat() async throws {
        _ = try await withAFinishedRun()
        let lock = try #require(
            try StoreLock(ofStoreAt: path).acquire(campaign: SQLiteStore.deletionLock))
        let other = try SQLiteStore.open(at: path)
        let nothing = try await other.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(nothing == DeletedDeliveries())
        lock.release()
        let deleted = try await other.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        #expect(deleted.runs == 1)
    }

    @Test(arguments: [
        "UPDATE run_sums SET sums = replace(sums, '\"tried\":5', '\"tried\":6')",
        "UPDATE run_sums SET sums = '{}'",
        "DELETE FROM run_sums",
        "UPDATE runs SET deliveries_deleted = 1",
    ])
    func sumsThatWereChangedFromOutsideAreDamage(change: String) async throws {
        let (store, _) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        try await store.pool.write { db in
            try db.execute(sql: change)
            #expect(db.changesCount > 0)
        }
        await #expect(throws: StoreError.corrupt(place)) { try await store.verify(Self.run) }
    }

    @Test func rowsThatAreLeftOfADeletedRunAreAFault() async throws {
        let (store, _) = try await withAFinishedRun()
        _ = try await store.deleteDeliveries(
            ofRunsEndedBy: Self.end, at: Self.later, isDryRun: false)
        try await store.pool.write { db in
            try db.execute(
                sql: "INSERT INTO recipients (run, number, name) SELECT key, 1, 'x' FROM runs")
        }
        #expect(
            try await store.check().faults == [.strangers(Self.run, table: "recipients")])
    }

    /// A run every eight days; payloads are kept for 20 days, deliveries for 80.
    @Test func over400DaysTheFileStopsGrowingAndTheSumsStay() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let people = Samples.names(60)
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var runs: [RunRecord] = []
        var sizes: [Int] = []
        for day in 0..<400 {
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
        // Where the sums are, which are small, it still grows.
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
        #expect(try await store.check().faults == [])
    }
}
