import CampaignCore
import Files
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// Tests claims and records of a run when the disk, another process or the clock causes trouble.
@Suite(.bounded) struct SendingTroubleTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A full disk rolls back a whole recording")
    func fullDiskRollsBackAWholeRecording() async throws {
        let run = Samples.run(platforms: [.fcm])
        let names = Samples.names(2_000)
        var store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { [store] in store }.stage(names, of: run)
        let pages = try await store.read { db in
            try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
        }
        try store.close()

        store = try SQLiteStore.open(at: path, options: StoreOptions(maximumPages: pages + 12))
        let claims = try await store.claimNext(
            run.id, platform: .fcm, limit: names.count, cap: nil, at: Samples.start
        ).claims
        #expect(claims.count == names.count)
        var saved = 0
        await #expect(throws: StoreError.diskFull(place)) {
            for first in stride(from: 0, to: claims.count, by: 100) {
                try await store.record(
                    records(claims[first..<(first + 100)]), requests: 100, of: run.id)
                saved += 100
            }
        }
        #expect((100..<claims.count).contains(saved))
        #expect(try await store.outcomes(run.id)[.accepted] == saved)
        try store.close()

        // There is space again, and unsaved deliveries are still known to be in flight.
        store = try SQLiteStore.open(at: path)
        #expect(try await store.run(run.id)?.requests == saved)
        let interrupted = try await store.interrupted(
            run.id, platform: .fcm, after: 0, limit: names.count)
        #expect(interrupted.map(\.number) == Array((saved + 1)...names.count))
        try await store.record(records(interrupted[...]), requests: 0, of: run.id)
        #expect(try await store.outcomes(run.id)[.accepted] == names.count)
    }

    @Test("Outcomes are recorded even if no file can be opened")
    func outcomesAreRecordedEvenIfNoFileCanBeOpened() async throws {
        try await OwnProcess.run { _ in
            let run = Samples.run(platforms: [.fcm])
            let names = Samples.names(12_000)
            let store = try SQLiteStore.open(at: path)
            try await StoreUnderTest { store }.stage(names, of: run)
            let claims = try await store.claimNext(
                run.id, platform: .fcm, limit: names.count, cap: nil, at: Samples.start
            ).claims
            // SQLite may need a temporary file for rows that are replaced.
            try await store.record(
                claims.map { Samples.record($0.number, .fcm, .waiting) }, requests: 0, of: run.id)
            try await store.claimAgain(
                run.id, platform: .fcm, numbers: claims.map(\.number), at: Samples.start)
            var held: [OpenFile] = []
            while SystemLimit.ofOpening == nil {
                held.append(try OpenFile("/dev/null", for: .reading))
            }
            #expect(SystemLimit.ofOpening == .openFiles(OpenFiles.limit))
            try await store.record(records(claims[...]), requests: 0, of: run.id)
            let limit = StoreError.limit(place, .openFiles(OpenFiles.limit))
            #expect(throws: limit) { try SQLiteStore.openForReading(at: path) }
            held = []
            #expect(try await store.outcomes(run.id)[.accepted] == names.count)
        }
    }

    enum Call: CaseIterable {
        case begin, claimNext, claimAgain, record, append, endRemaining, requestStop
    }

    @Test("A lock that another process holds too long is reported", arguments: Call.allCases)
    func lockThatAnotherProcessHoldsTooLongIsReported(call: Call) async throws {
        let wait = Duration.milliseconds(60)
        let store = try SQLiteStore.open(at: path, options: StoreOptions(busyTimeout: wait))
        let test = try StoreUnderTest { store }
        try await test.stage(Samples.names(3))
        let staging = Samples.run("bbbbbb", campaign: "other")
        try await store.begin(staging)
        let run = Samples.runID()
        _ = try await store.claimNext(run, platform: .fcm, limit: 1, cap: nil, at: Samples.start)
        try await store.record([Samples.record(1, .fcm, .waiting)], requests: 1, of: run)
        let before = try await content(of: store)

        let other = try transaction("BEGIN IMMEDIATE")
        let clock = ContinuousClock()
        let start = clock.now
        let error = await #expect(throws: StoreError.self) {
            try await make(call, on: store, run: run, staging: staging.id)
        }
        #expect(start.duration(to: clock.now) >= wait)
        #expect(error == .locked(place))
        #expect(
            try #require(error).description
                == "The store \(path) was locked by another process for too long. Run the same command again."
        )
        // Reading is not delayed and finds nothing half-written.
        #expect(try await content(of: store) == before)

        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try await make(call, on: store, run: run, staging: staging.id)
        #expect(try await content(of: store) != before)
    }

    @Test("A lock released in time causes no error")
    func lockReleasedInTimeCausesNoError() async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(busyTimeout: .seconds(60)))
        try await StoreUnderTest { store }.stage(Samples.names(3))
        let other = try transaction("BEGIN IMMEDIATE")
        async let claimed = store.claimNext(
            Samples.runID(), platform: .fcm, limit: 3, cap: nil, at: Samples.start)
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        #expect(try await claimed.claims.map(\.number) == [1, 2, 3])
    }

    @Test("Times are stored as given when the clock steps back")
    func timesAreStoredAsGivenWhenTheClockStepsBack() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run(platforms: [.fcm])
        let test = try StoreUnderTest { store }
        try await test.stage(Samples.names(3), of: run)
        _ = try await store.claimNext(run.id, platform: .fcm, limit: 3, cap: nil, at: run.started)
        // The second time is before the run began, and the first is even earlier.
        let times = [-7_200.5, -3_600.25, 86_400].map { run.started + $0 }
        var record = Samples.record(1, .fcm, .waiting)
        try await store.record([record], requests: 1, of: run.id)
        for (index, time) in times.enumerated() {
            record = Samples.record(index + 1, .fcm, .ended(.accepted))
            record.recordedAt = time
            try await store.record([record], requests: 1, of: run.id)
        }
        try await store.setState(.finished, reason: nil, of: run.id, at: times[0])
        #expect(try await test.report(run.id).map(\.recordedAt) == times)
        let found = try #require(try await store.run(run.id))
        #expect(found.finished == times[0])
        #expect(found.started == run.started)
        #expect(try await store.outcomes(run.id)[.accepted] == 3)
    }

    /// The log is checkpointed during the run, even with occasional readers.
    @Test("The log stays small during a long run") func logStaysSmallDuringALongRun() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run(platforms: [.fcm])
        try await StoreUnderTest { store }.stage(Samples.names(10_000), of: run)
        let reader = try SQLiteStore.openForReading(at: path)
        var largest = 0
        var commits = 0
        while true {
            let claims = try await store.claimNext(
                run.id, platform: .fcm, limit: 20, cap: nil, at: Samples.start
            ).claims
            if claims.isEmpty { break }
            try await store.record(records(claims[...]), requests: 20, of: run.id)
            commits += 2
            if commits.isMultiple(of: 50) {
                _ = try await reader.reportPage(run.id, after: 0, recipients: 100)
                largest = max(largest, try size(path + "-wal"))
            }
        }
        // Each commit adds at least two pages.
        let pageInLog = 4_096 + 24
        #expect(commits * 2 * pageInLog > 8_000_000)
        #expect(largest > 0)
        #expect(largest < 5_000_000)
    }

    private func records(_ claims: ArraySlice<DeliveryClaim>) -> [DeliveryRecord] {
        claims.map {
            Samples.record(
                $0.number, .fcm, .ended(.accepted),
                hubMessage: "2460061235873428450-8069540341285325430")
        }
    }

    private func make(
        _ call: Call, on store: SQLiteStore, run: RunID, staging: RunID
    ) async throws {
        switch call {
        case .begin: try await store.begin(Samples.run("cccccc", campaign: "third"))
        case .claimNext:
            _ = try await store.claimNext(
                run, platform: .apns, limit: 2, cap: nil, at: Samples.start)
        case .claimAgain:
            try await store.claimAgain(run, platform: .fcm, numbers: [1], at: Samples.start)
        case .record:
            try await store.record([Samples.record(1, .fcm, .ended(.failed))], requests: 1, of: run)
        case .append:
            try await store.append(
                Samples.names(2).map { StagedRecipient(username: $0) }, to: staging)
        case .endRemaining:
            try await store.endRemaining(
                run, as: .skipped, because: nil, detail: "late", at: Samples.start)
        case .requestStop:
            try await store.requestStop(run, .resumable)
        }
    }

    /// Every value of the tables that a run writes.
    private func content(of store: SQLiteStore) async throws -> [String] {
        try await store.read { db in
            try ["runs", "run_platforms", "recipients", "deliveries"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    private func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }
}
