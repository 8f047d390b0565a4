import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct PartClaimTests {
    /// Claims until nobody is left, and records each page.
    private static func work(
        _ part: ServerPart, using generator: SeededGenerator
    ) async throws -> (numbers: [Int], ids: [Int]) {
        var generator = generator
        var (numbers, ids): ([Int], [Int]) = ([], [])
        while true {
            let page = try await part.claim(Int.random(in: 1...70, using: &generator))
            guard !page.isEmpty else { return (numbers, ids) }
            #expect(page.skipped == 0)
            let claimed = page.claims.map(\.number)
            numbers += claimed
            ids.append(try #require(page.id))
            try await part.record(claimed, .ended(.accepted))
        }
    }

    @Test(
        "Parts that claim at the same time claim everybody once",
        arguments: [1, 2, 3, 4] as [UInt64])
    func partsThatClaimAtTheSameTimeClaimEverybodyOnce(seed: UInt64) async throws {
        let names = Samples.names(600)
        let shared = try await RunOnServer { test in
            let run = Samples.run(platforms: [.apns])
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            try await test.store.append(
                names.enumerated().map { index, name in
                    StagedRecipient(username: name, withheld: index % 7 == 3 ? [.apns] : [])
                }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 600))
        }
        var parts: [ServerPart] = []
        for host in ["a", "b", "c"] { parts.append(try await shared.join(host)) }
        let found = try await withThrowingTaskGroup(of: (Int, [Int], [Int]).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask {
                    let generator = SeededGenerator(seed: seed * 10 + UInt64(index))
                    let (numbers, ids) = try await Self.work(part, using: generator)
                    return (index, numbers, ids)
                }
            }
            return try await group.reduce(into: [(Int, [Int], [Int])]()) { $0.append($1) }
        }
        #expect(found.flatMap(\.1).sorted() == (1...600).filter { ($0 - 1) % 7 != 3 })
        #expect(try await shared.store.check().damage == [])
        for (index, numbers, ids) in found {
            #expect(numbers == numbers.sorted())
            #expect(Set(ids).count == ids.count)
            _ = try await parts[index].exchange(WorkerReport(requests: numbers.count, closed: ids))
        }
        #expect(try await shared.count("claimed_pages") == 0)
        let outcomes = try await shared.store.outcomes(shared.run.id)
        #expect(outcomes[.accepted] == found.flatMap(\.1).count)
        #expect(outcomes[.notAttempted] == 0)
        #expect(try await shared.store.run(shared.run.id)?.requests == outcomes[.accepted])
    }

    @Test("A page lists its claimed people and ends when they are recorded")
    func pageListsItsClaimedPeopleAndEndsWhenTheyAreRecorded() async throws {
        let shared = try await RunOnServer(people: 5)
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        let page = try await part.claim(2)
        #expect(page.claims.map(\.number) == [1, 2])
        #expect(page.claims.map(\.username) == Array(Samples.names(2)))
        #expect(page.id == 1)
        #expect(try await other.claim(2).claims.map(\.number) == [3, 4])
        #expect(try await part.claim(2).claims.map(\.number) == [5])
        let end = try await part.claim(2)
        #expect(end.isEmpty)
        #expect(end.id == nil)
        // Only its own pages are closed, although other parts have pages with the same numbers.
        _ = try await part.exchange(WorkerReport(closed: [1]))
        let member = other.member
        #expect(try await shared.count("claimed_pages") == 2)
        #expect(try await shared.count("claimed_pages", where: "member = \(member)") == 1)
    }

    @Test("Under a cap, each person is claimed or skipped by one part")
    func underACapEachPersonIsClaimedOrSkippedByOnePart() async throws {
        let names = Samples.names(90)
        let other = Samples.run("others", campaign: "winter-sale", platforms: [.apns])
        let shared = try await RunOnServer { test in
            try await test.stage(Array(names[..<40]), of: other)
            try await test.accept(1...40, of: other.id)
            try await test.stage(names, of: Samples.run(platforms: [.apns]))
        }
        let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))
        let parts = [try await shared.join(), try await shared.join("b")]
        let (claims, skipped) = try await withThrowingTaskGroup(of: ([Int], Int).self) { group in
            for part in parts {
                group.addTask {
                    var (claims, skipped): ([Int], Int) = ([], 0)
                    while true {
                        let page = try await part.claim(7, cap: cap)
                        guard !page.isEmpty else { return (claims, skipped) }
                        claims += page.claims.map(\.number)
                        skipped += page.skipped
                    }
                }
            }
            return try await group.reduce(into: ([Int](), 0)) { sum, found in
                sum.0 += found.0
                sum.1 += found.1
            }
        }
        #expect(claims.sorted() == Array(41...90))
        #expect(skipped == 40)
        #expect(
            try await shared.rows().allSatisfy { $0.state == .ended(.skipped) && $0.member == nil })
    }

    @Test("People whose payload was revoked are skipped and counted")
    func peopleWhosePayloadWasRevokedAreSkippedAndCounted() async throws {
        var ids: [NotificationID] = []
        let shared = try await RunOnServer { test in
            ids = try await test.stagePersonal(
                Samples.names(5), of: Samples.run(platforms: [.apns]))
        }
        for index in [1, 3, 4] { _ = try await shared.store.revoke(ids[index], at: Samples.start) }
        let part = try await shared.join()
        let page = try await part.claim(3)
        #expect(page.claims.map(\.number) == [1, 3])
        #expect(page.skipped == 1)
        // An empty page leaves nothing to record.
        let rest = try await part.claim(3)
        #expect(rest.claims.isEmpty)
        #expect(rest.skipped == 2)
        #expect(rest.id == nil)
        #expect(try await shared.count("claimed_pages") == 1)
        #expect(try await shared.rows().map(\.number) == [2, 4, 5])
    }

    @Test("Each wave has its own pages") func eachWaveHasItsOwnPages() async throws {
        let shared = try await RunOnServer { test in
            try await test.stage(inWavesOf: [3, 4], of: Samples.run(platforms: [.apns]))
        }
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        #expect(try await part.claim(2, wave: 2).claims.map(\.number) == [4, 5])
        #expect(try await other.claim(2, wave: 1).claims.map(\.number) == [1, 2])
        #expect(try await other.claim(9, wave: 2).claims.map(\.number) == [6, 7])
        #expect(try await part.claim(9, wave: 1).claims.map(\.number) == [3])
        #expect(try await part.claim(9, wave: 1).isEmpty)
        #expect(try await shared.store.check().damage == [])
    }

    @Test("A recorded delivery belongs to a part only while it is waiting")
    func recordedDeliveryBelongsToAPartOnlyWhileItIsWaiting() async throws {
        let shared = try await RunOnServer(people: 3)
        let part = try await shared.join()
        let member = part.member
        _ = try await part.claim(3)
        try await part.record([1, 2], .waiting)
        #expect(try await shared.rows().map(\.member) == [member, member])
        // The part knows its own waiting deliveries.
        #expect(try await part.adopt().isEmpty)
        try await part.claimAgain([1])
        #expect(
            try await shared.rows() == [
                .init(number: 1, state: .sending, member: member),
                .init(number: 2, state: .waiting, member: member),
            ])
        #expect(try await shared.store.check().damage == [])
        try await part.record([1, 2], .ended(.accepted), attempts: 2)
        #expect(
            try await shared.rows() == [
                .init(number: 1, state: .ended(.accepted), attempts: 2),
                .init(number: 2, state: .ended(.accepted), attempts: 2),
            ])
        // A part reports its requests separately.
        #expect(try await shared.count("runs", where: "requests = 0") == 1)
    }
}
