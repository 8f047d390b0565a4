import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct HostsAtOnceTests {
    /// Claims deliveries on several hosts simultaneously until nobody is left.
    private static func claimAll(
        _ hosts: [(store: PostgreSQLStore, run: RunID)], on platform: Platform = .apns, limit: Int,
        cap: FrequencyCap? = nil
    ) async throws -> (claims: [DeliveryClaim], skipped: Int) {
        try await withThrowingTaskGroup(of: ([DeliveryClaim], Int).self) { group in
            for (store, run) in hosts {
                group.addTask {
                    var (claims, skipped): ([DeliveryClaim], Int) = ([], 0)
                    while true {
                        let page = try await store.claimNext(
                            run, platform: platform, limit: limit, cap: cap,
                            at: Samples.start + 60)
                        if page.claims.isEmpty && page.skipped == 0 { return (claims, skipped) }
                        claims += page.claims
                        skipped += page.skipped
                    }
                }
            }
            return try await group.reduce(into: (claims: [], skipped: 0)) { sum, host in
                sum.claims += host.0
                sum.skipped += host.1
            }
        }
    }

    @Test("Pages of a large run cover everybody exactly once")
    func pagesOfALargeRunCoverEverybodyExactlyOnce() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let run = Samples.run()
        let names = Samples.names(2_000)
        try await store.begin(run, expecting: StoreSchema.partitionPeople)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(
            names.enumerated().map { index, name in
                StagedRecipient(username: name, withheld: index % 7 == 3 ? [.apns] : [])
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))

        let hosts = try (0..<4).map { _ in (store: try server.open(), run: run.id) }
        let found = try await Self.claimAll(hosts, limit: 70)
        let expected = (1...2_000).filter { ($0 - 1) % 7 != 3 }
        #expect(found.claims.map(\.number).sorted() == expected)
        #expect(found.claims.allSatisfy { $0.username == names[$0.number - 1] })
        #expect(found.skipped == 0)
        let other = try await Self.claimAll(hosts, on: .fcm, limit: 300)
        #expect(other.claims.map(\.number).sorted() == Array(1...2_000))
    }

    @Test("Two runs that claim at the same time cannot both use a person's last push")
    func twoRunsThatClaimAtTheSameTimeCannotBothUseAPersonsLastPush() async throws {
        let server = try await StoreOnServer()
        let names = Samples.names(600)
        let runs = [Samples.run("aaaaaa"), Samples.run("bbbbbb", campaign: "other")]
        let test = try StoreUnderTest { try server.open() }
        for run in runs { try await test.stage(names, of: run) }

        let hosts = try (0..<4).map { (store: try server.open(), run: runs[$0 % 2].id) }
        let found = try await Self.claimAll(
            hosts, limit: 20, cap: FrequencyCap(pushes: 1, period: .seconds(3_600)))
        #expect(found.claims.map(\.username).sorted() == names)
        #expect(found.skipped == names.count)
        for run in runs { try await test.store.verify(run.id) }
    }

    @Test("An outcome recorded while a run is being ended is kept")
    func outcomeRecordedWhileARunIsBeingEndedIsKept() async throws {
        let server = try await StoreOnServer()
        let run = Samples.run(platforms: [.apns])
        let test = try StoreUnderTest { try server.open() }
        try await test.stage(Samples.names(400), of: run)
        _ = try await test.store.claimNext(run.id, platform: .apns, limit: 300)
        let (one, other) = (try server.open(), try server.open())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for first in stride(from: 1, to: 300, by: 20) {
                    let records = (first..<(first + 20)).map {
                        Samples.record($0, .apns, .ended(.accepted))
                    }
                    try await one.record(records, requests: 20, of: run.id)
                }
            }
            group.addTask {
                try await other.endRemaining(
                    run.id, as: .skipped, because: nil, detail: "too late", at: Samples.start + 90)
            }
            try await group.waitForAll()
        }
        let outcomes = try await test.store.outcomes(run.id)
        #expect(outcomes[.accepted] == 300)
        #expect(outcomes[.skipped] == 100)
        #expect(try await test.store.run(run.id)?.requests == 300)
    }

    @Test("Waiting too long for another host's claim causes an error")
    func waitingTooLongForAnotherHostsClaimCausesAnError() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let hasty = try server.open(lockTimeout: .milliseconds(50))
        let run = Samples.run()
        try await StoreUnderTest { store }.stage(Samples.names(3), of: run)
        let session = try store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { db in
            try db.executeScript("BEGIN")
            _ = try db.row("SELECT 1 FROM run_platforms WHERE platform = 'fcm' FOR UPDATE")
        }
        await #expect(throws: StoreError.locked(store.place)) {
            try await hasty.claimNext(run.id, platform: .fcm, limit: 1)
        }
        // Claims for another platform do not wait.
        #expect(try await store.claimNext(run.id, platform: .apns, limit: 9).count == 3)
        try session.withConnection { try $0.executeScript("COMMIT") }
        let claims = try await store.claimNext(run.id, platform: .fcm, limit: 9)
        #expect(claims.map(\.number) == [1, 2, 3])
    }
}
