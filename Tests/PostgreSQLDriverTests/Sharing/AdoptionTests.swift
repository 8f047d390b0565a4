import CampaignCore
import FoundationEssentials
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct AdoptionTests {
    private static func adoptAll(_ part: ServerPart) async throws -> [Int] {
        var numbers: [Int] = []
        while true {
            let found = try await part.adopt(after: numbers.last ?? 0, limit: 7).map(\.number)
            guard !found.isEmpty else { return numbers }
            numbers += found
        }
    }

    @Test("Exactly one other part adopts the waiting deliveries of a lost part")
    func exactlyOneOtherPartAdoptsTheWaitingDeliveriesOfALostPart() async throws {
        let shared = try await RunOnServer(people: 60)
        let gone = try await shared.join()
        _ = try await gone.claim(60)
        try await gone.record(Array(1...60), .waiting)
        let parts = [try await shared.join("b"), try await shared.join("c")]
        #expect(try await Self.adoptAll(parts[0]).isEmpty)
        try await shared.expire(gone)
        #expect(try await parts[1].settle() == 0)
        let adopted = try await withThrowingTaskGroup(of: [Int].self) { group in
            for part in parts { group.addTask { try await Self.adoptAll(part) } }
            return try await group.reduce([], +)
        }
        let rest = try await Self.adoptAll(parts[0])
        #expect((adopted + rest).sorted() == Array(1...60))
        #expect(try await shared.rows().allSatisfy { $0.member != nil && $0.state == .waiting })
        #expect(try await shared.store.check().damage == [])
    }

    @Test("No more deliveries than requested are adopted, and they are unchanged")
    func noMoreDeliveriesThanRequestedAreAdoptedAndTheyAreUnchanged() async throws {
        let shared = try await RunOnServer(people: 4)
        let (gone, part) = (try await shared.join(), try await shared.join("b"))
        _ = try await gone.claim(3)
        try await gone.record([1, 2], .waiting, attempts: 3)
        try await gone.leave()
        #expect(try await part.settle() == 1)
        let first = try await part.adopt(through: 1)
        #expect(first.map(\.username) == Array(Samples.names(1)))
        #expect(first.map(\.attempts) == [3])
        #expect(first.map(\.isUncertain) == [false])
        #expect(try await part.adopt(after: 2).map(\.isUncertain) == [true])
        #expect(try await part.adopt().map(\.number) == [2])
        #expect(try await part.adopt().isEmpty)
        // A process without a part sees all of these deliveries.
        let all = try await shared.store.waiting(
            shared.run.id, platform: .apns, after: 0, through: nil, limit: 9)
        #expect(all.map(\.number) == [1, 2, 3])
    }

    @Test("Deliveries that were released can be adopted by another part")
    func deliveriesThatWereReleasedCanBeAdoptedByAnotherPart() async throws {
        let shared = try await RunOnServer(people: 5)
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        _ = try await part.claim(5)
        try await part.record([1, 2, 3], .waiting)
        try await part.claimAgain([3])
        // Deliveries in flight, and those of other parts, are not released.
        try await part.letGo([2, 3, 4], on: .apns)
        #expect(try await other.adopt().map(\.number) == [2])
        try await part.letGo([2], on: .apns)
        #expect(try await part.adopt().isEmpty)
        try await part.claimAgain([2])
        try await other.claimAgain([1, 2])
        #expect(
            try await shared.rows() == [
                .init(number: 1, state: .waiting, member: part.member),
                .init(number: 2, state: .sending, member: other.member),
                .init(number: 3, state: .sending, member: part.member),
            ])
    }
}
