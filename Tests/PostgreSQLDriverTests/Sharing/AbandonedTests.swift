import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct AbandonedTests {
    /// The page was not sent to people who are withheld, are waiting or already have an outcome.
    @Test(
        "An abandoned page is settled once and counts as an attempt",
        arguments: [
            (DeliveryRecord.State.waiting, DeliveryState.waiting),
            (.ended(.unknown), .ended(.unknown)),
        ])
    func abandonedPageIsSettledOnceAndCountsAsAnAttempt(
        state: DeliveryRecord.State, stored: DeliveryState
    ) async throws {
        let names = Samples.names(10)
        let shared = try await RunOnServer { test in
            let run = Samples.run(platforms: [.apns])
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            try await test.store.append(
                names.map { name in
                    StagedRecipient(username: name, withheld: name == names[2] ? [.apns] : [])
                }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 10))
        }
        let (gone, next) = (try await shared.join(), try await shared.join("b"))
        #expect(try await gone.claim(6).claims.map(\.number) == [1, 2, 4, 5, 6, 7])
        try await gone.record([1], .ended(.accepted))
        try await gone.record([2], .waiting)
        try await gone.record([4], .waiting, attempts: 2)
        try await gone.claimAgain([4])
        #expect(try await next.settle(state) == 0)
        try await shared.expire(gone)
        #expect(try await next.settle(state) == 4)
        let rows = [
            RunOnServer.Row(number: 1, state: .ended(.accepted)), .init(number: 2, state: .waiting),
            .init(number: 3, state: .ended(.skipped), attempts: 0),
            .init(number: 4, state: stored, attempts: 3, isUncertain: true),
            .init(number: 5, state: stored, isUncertain: true),
            .init(number: 6, state: stored, isUncertain: true),
            .init(number: 7, state: stored, isUncertain: true),
        ]
        #expect(try await shared.rows() == rows)
        let isSaid = "detail = 'left behind' AND recorded = \(Self.milliseconds(80))"
        #expect(try await shared.count("deliveries", where: isSaid) == 4)
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await shared.count("run_members") == 1)
        #expect(try await next.settle(state) == 0)
        #expect(try await shared.rows() == rows)
        #expect(try await shared.store.check().damage == [])
        #expect(try await next.claim(9).claims.map(\.number) == [8, 9, 10])
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        StoredTime.milliseconds(Samples.start + seconds)
    }

    @Test("A page whose outcomes are all recorded needs no settling")
    func pageWhoseOutcomesAreAllRecordedNeedsNoSettling() async throws {
        let shared = try await RunOnServer(people: 5)
        let (gone, next) = (try await shared.join(), try await shared.join("b"))
        let page = try await gone.claim(3)
        try await gone.record([1, 2, 3], .ended(.accepted))
        _ = try await gone.exchange(WorkerReport(closed: [try #require(page.id)]))
        _ = try await gone.claim(2)
        try await gone.record([4, 5], .ended(.rejected))
        try await gone.leave()
        #expect(try await shared.count("claimed_pages") == 1)
        #expect(try await next.settle() == 0)
        #expect(try await shared.count("claimed_pages") == 0)
    }

    @Test("After an outage of the server, no deliveries are taken over immediately")
    func afterAnOutageOfTheServerNoDeliveriesAreTakenOverImmediately() async throws {
        let shared = try await RunOnServer(people: 5)
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        _ = try await other.claim(2)
        // The server was unavailable for longer than their leases.
        for part in [part, other] { try await shared.expire(part) }
        #expect(try await part.settle() == 0)
        let news = try await part.exchange(WorkerReport())
        #expect(!news.hasAbandoned)
        #expect(news.othersHaveWork)
        #expect(try await part.settle() == 0)
        try await other.record([1, 2], .ended(.accepted))
        #expect(try await other.exchange(WorkerReport()).others.map(\.process.host) == ["a"])
    }

    @Test("Settling a page in one wave affects no other wave")
    func settlingAPageInOneWaveAffectsNoOtherWave() async throws {
        let shared = try await RunOnServer { test in
            try await test.stage(inWavesOf: [3, 4], of: Samples.run(platforms: [.apns]))
        }
        let (gone, next) = (try await shared.join(), try await shared.join("b"))
        _ = try await gone.claim(2, wave: 2)
        _ = try await gone.claim(2, wave: 1)
        try await gone.leave()
        #expect(try await next.settle() == 4)
        #expect(try await shared.rows().map(\.number) == [1, 2, 4, 5])
        #expect(try await next.claim(9, wave: 1).claims.map(\.number) == [3])
        #expect(try await next.claim(9, wave: 2).claims.map(\.number) == [6, 7])
    }

    @Test("Settling does not change people who have since been skipped or forgotten")
    func settlingDoesNotChangePeopleWhoHaveSinceBeenSkippedOr() async throws {
        let names = Samples.names(6)
        var ids: [NotificationID] = []
        let shared = try await RunOnServer { test in
            ids = try await test.stagePersonal(names, of: Samples.run(platforms: [.apns]))
        }
        _ = try await shared.store.revoke(ids[1], at: Samples.start)
        let gone = try await shared.join()
        #expect(try await gone.claim(5).claims.map(\.number) == [1, 3, 4, 5])
        try await gone.record([5], .waiting)
        try await gone.leave()
        for name in [names[2], names[4]] {
            _ = try await shared.store.forget(name, at: Samples.start + 70)
        }
        #expect(try await shared.join().settle() == 2)
        #expect(
            try await shared.rows().map { [$0.number, $0.state.rawValue] } == [
                [1, DeliveryState.waiting.rawValue], [2, Outcome.skipped.stored],
                [3, Outcome.unknown.stored], [4, DeliveryState.waiting.rawValue],
                [5, Outcome.skipped.stored],
            ])
        #expect(try await shared.store.check().damage == [])
    }

    @Test("A process outside the run sees abandoned deliveries as interrupted")
    func processOutsideTheRunSeesAbandonedDeliveriesAsInterrupted() async throws {
        let shared = try await RunOnServer(people: 4)
        let (store, run) = (shared.store, shared.run.id)
        let gone = try await shared.join()
        _ = try await gone.claim(3)
        try await gone.record([1], .waiting)
        try await gone.leave()
        let found = try await store.interrupted(run, platform: .apns, after: 0, limit: 9)
        #expect(found.map(\.number) == [2, 3])
        try await store.record(
            [2, 3].map { Samples.record($0, .apns, .waiting, isUncertain: true) }, requests: 0,
            of: run)
        let part = try await shared.join()
        #expect(try await part.settle() == 0)
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await part.adopt().map(\.number) == [1, 2, 3])
    }

    /// More rows than one transaction may write.
    @Test("Deliveries claimed without a part are also settled")
    func deliveriesClaimedWithoutAPartAreAlsoSettled() async throws {
        let count = TransactionLimit.rows + 3
        let shared = try await RunOnServer(people: count + 2)
        for limit in [2, count - 2] {
            _ = try await shared.store.claimNext(shared.run.id, platform: .apns, limit: limit)
        }
        #expect(try await shared.count("claimed_pages") == 1)
        let part = try await shared.join()
        #expect(try await part.settle() == count)
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await shared.count("deliveries", where: "state = 1 AND attempts = 1") == count)
        #expect(try await part.claim(9).claims.map(\.number) == [count + 1, count + 2])
    }

    @Test("Parts that settle at the same time settle each delivery once")
    func partsThatSettleAtTheSameTimeSettleEachDeliveryOnce() async throws {
        let shared = try await RunOnServer(people: 400)
        let gone = try await shared.join()
        for _ in 0..<20 { _ = try await gone.claim(15) }
        try await gone.record(Array(1...100), .waiting)
        try await gone.claimAgain(Array(1...100))
        try await gone.leave()
        let parts = [
            try await shared.join(), try await shared.join("b"), try await shared.join("c"),
        ]
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for part in parts { group.addTask { try await part.settle() } }
            return try await group.reduce(0, +)
        }
        // A process that finds that others have taken everything continues.
        let rest = try await parts[0].settle()
        #expect(sum + rest == 300)
        let rows = try await shared.rows()
        #expect(rows.map(\.number) == Array(1...300))
        #expect(rows.allSatisfy { $0.attempts == ($0.number <= 100 ? 2 : 1) && $0.isUncertain })
        #expect(rows.allSatisfy { $0.state == .waiting && $0.member == nil })
    }

    @Test("Deliveries that may have been sent count towards a cap")
    func deliveriesThatMayHaveBeenSentCountTowardsACap() async throws {
        let shared = try await RunOnServer(people: 3)
        let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))
        let store = shared.store
        let (names, hub) = (Samples.names(3), shared.run.hub)
        func capped(at seconds: Double) async throws -> Int {
            try await store.capped(
                names, on: .apns, at: hub, besides: nil, by: cap, at: Samples.start + seconds)
        }
        let gone = try await shared.join()
        _ = try await gone.claim(2)
        #expect(try await capped(at: 120) == 2)
        #expect(try await capped(at: 3_670) == 0)
        try await gone.leave()
        #expect(try await shared.join("b").settle(.ended(.unknown)) == 2)
        #expect(try await capped(at: 3_670) == 2)
        #expect(try await capped(at: 3_690) == 0)
    }
}
