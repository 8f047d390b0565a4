import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver
@testable import Storage

/// Several hosts that change receipts, registrations and payloads at the same time.
@Suite(.bounded, .postgreSQL) struct SeveralHostsTests {
    private let alice = Username(checked: "alice")
    private let bob = Username(checked: "bob")

    @Test("If two hosts store receipts for the same people, all are kept")
    func ifTwoHostsStoreReceiptsForTheSamePeopleAllAreKept() async throws {
        let server = try await StoreOnServer()
        let stores = [try server.open(), try server.open()]
        let names = Samples.names(300)
        let id = try await StoreUnderTest { stores[0] }.stage(names)
        let run = try #require(try await stores[0].notification(id, for: names[0])).place.run
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 0..<8 {
                group.addTask {
                    // Each starts with a different person: without a common order they would
                    // deadlock.
                    let numbers = (0..<300).map { ($0 + turn * 37) % 300 + 1 }
                    try await stores[turn % 2].record(
                        numbers.map { number in
                            Receipt(
                                place: ReceiptKey(run: run, number: number),
                                kind: turn < 4 ? .fetched : .read,
                                time: Samples.start + Double(turn))
                        })
                }
            }
            try await group.waitForAll()
        }
        let whole = "SELECT count(*) FROM receipts WHERE fetched IS NOT NULL AND read IS NOT NULL"
        #expect(try await stores[0].number(whole) == 300)
        #expect(try await stores[0].number("SELECT count(*) FROM receipts") == 300)
    }

    @Test("A receipt is not stored while the run's deliveries are being deleted")
    func receiptIsNotStoredWhileTheRunsDeliveriesAreBeingDeleted() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let hasty = try server.open(lockTimeout: .milliseconds(50))
        let names = Samples.names(2)
        let id = try await StoreUnderTest { store }.stage(names)
        let place = try #require(try await store.notification(id, for: names[0])).place
        let receipt = Receipt(place: place, kind: .read, time: Samples.start)
        let deleting = try store.pool.dedicatedConnection()
        defer { deleting.close() }
        try deleting.withConnection { db in
            try db.executeScript("BEGIN")
            try db.lock(.receipts, "\(place.run)", isShared: false)
            try db.execute("UPDATE runs SET deliveries_deleted = 1 WHERE key = $1", [place.run])
        }
        await #expect(throws: StoreError.locked(store.place)) { try await hasty.record([receipt]) }
        try deleting.withConnection { db in try db.executeScript("COMMIT") }
        try await store.record([receipt])
        #expect(try await store.number("SELECT count(*) FROM receipts") == 0)
    }

    @Test("A device that two hosts register for two people belongs to one of them")
    func deviceThatTwoHostsRegisterForTwoPeopleBelongsToOneOfThem() async throws {
        let server = try await StoreOnServer()
        let (one, other) = (try server.open(), try server.open())
        for round in 0..<20 {
            let handle = HandleDigest(bytes: [UInt8](repeating: UInt8(round), count: 32))
            let ids = ["1-\(round)", "2-\(round)"]
            try await one.issue(ids[0], to: alice, handle: nil, at: Samples.start)
            try await one.issue(ids[1], to: bob, handle: nil, at: Samples.start)
            async let first = one.use(
                ids[0], of: alice, platform: .apns, handle: handle, at: Samples.start)
            async let second = other.use(
                ids[1], of: bob, platform: .apns, handle: handle, at: Samples.start)
            let gone = try await first + second
            // The second host takes the device over.
            #expect(gone.count == 1)
            let left = [try await one.registration(ids[0]), try await one.registration(ids[1])]
            #expect(left.compactMap(\.?.id) == ids.filter { $0 != gone.first })
        }
    }

    @Test("An ID that two hosts issue to two people belongs to one of them")
    func idThatTwoHostsIssueToTwoPeopleBelongsToOneOfThem() async throws {
        let server = try await StoreOnServer()
        let stores = [try server.open(), try server.open()]
        let taken = await withTaskGroup(of: Bool.self) { [alice, bob] group in
            for index in 0..<8 {
                group.addTask {
                    do {
                        try await stores[index % 2].issue(
                            "1-1", to: index % 2 == 0 ? alice : bob, handle: nil, at: Samples.start)
                        return false
                    } catch {
                        return error as? StoreError == .registrationTaken
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 4)
    }

    @Test("Content that another host starts to use is not deleted")
    func contentThatAnotherHostStartsToUseIsNotDeleted() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let hasty = try server.open(lockTimeout: .milliseconds(50))
        let run = Samples.run()
        try await store.begin(run)
        let content = Array("the content".utf8)
        let staging = try store.pool.dedicatedConnection()
        defer { staging.close() }
        // The content is in the store, but no longer in use.
        try staging.withConnection { db in
            let stored = try StoredRun(of: run.id, db)
            _ = try db.key(of: content, in: stored.key)
            try db.releaseContents(of: stored.key)
        }
        try staging.withConnection { db in
            try db.executeScript("BEGIN")
            let stored = try StoredRun(staging: run.id, db)
            _ = try db.key(of: content, in: stored.key)
        }
        await #expect(throws: StoreError.locked(store.place)) {
            try await hasty.purgeUnusedContent()
        }
        try staging.withConnection { db in try db.executeScript("COMMIT") }
        #expect(try await store.purgeUnusedContent() == 0)
        #expect(try await store.number("SELECT count(*) FROM contents") == 1)
        try staging.withConnection { db in
            try db.releaseContents(of: StoredRun(of: run.id, db).key)
        }
        #expect(try await store.purgeUnusedContent() == content.count)
    }

    @Test("If two hosts purge at the same time, each payload is counted once")
    func ifTwoHostsPurgeAtTheSameTimeEachPayloadIsCountedOnce() async throws {
        let server = try await StoreOnServer()
        let stores = [try server.open(), try server.open()]
        let ids = try await StoreUnderTest { stores[0] }.stagePersonal(Samples.names(40))
        let kept = Samples.run("bbbbbb", campaign: "b")
        let taken = try await StoreUnderTest { stores[0] }.stagePersonal(
            Samples.names(3), of: kept)
        try await stores[0].revoke(Samples.runID(), at: Samples.start)
        #expect(try await stores[1].revoke(taken[0], at: Samples.start))
        async let first = stores[0].purge(at: Samples.start + 1, isDryRun: false)
        async let second = stores[1].purge(at: Samples.start + 1, isDryRun: false)
        let counts = try await [first, second]
        #expect(counts.map(\.notifications).reduce(0, +) == 41)
        #expect(try await stores[0].notification(ids[0])?.bytes == nil)
        #expect(try await stores[0].notification(taken[0])?.bytes == nil)
        #expect(try await stores[0].notification(taken[1])?.bytes != nil)
    }
}
