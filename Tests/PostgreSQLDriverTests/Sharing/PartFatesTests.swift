import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

/// Tests processes that join, leave and crash at random, compared with a model of the store.
@Suite(.bounded, .postgreSQL) struct PartFatesTests {
    private struct Model {
        struct Worker {
            let part: ServerPart
            var underWay: Set<Int> = []
            var waiting: Set<Int> = []
        }

        var workers: [Worker] = []
        var claimed: Set<Int> = []
        var free: Set<Int> = []
        /// Deliveries that were in flight in a part that no longer exists.
        var abandoned: Set<Int> = []
        var attempts: [Int: Int] = [:]
        var uncertain: Set<Int> = []

        mutating func lose(_ index: Int) -> ServerPart {
            let worker = workers.remove(at: index)
            abandoned.formUnion(worker.underWay)
            free.formUnion(worker.waiting)
            return worker.part
        }
    }

    private let shared: RunOnServer
    private static let people = 120

    init() async throws {
        shared = try await RunOnServer(people: Self.people)
    }

    private func claim(_ limit: Int, by index: Int, in model: inout Model) async throws {
        let numbers = try await model.workers[index].part.claim(limit).claims.map(\.number)
        #expect(model.claimed.isDisjoint(with: numbers))
        #expect(numbers.count == min(limit, Self.people - model.claimed.count))
        model.claimed.formUnion(numbers)
        model.workers[index].underWay.formUnion(numbers)
    }

    private func answer(
        _ number: Int, _ state: DeliveryRecord.State, by index: Int, in model: inout Model
    ) async throws {
        let attempts = model.attempts[number, default: 0] + 1
        try await model.workers[index].part.record(
            [number], state, attempts: attempts, isUncertain: model.uncertain.contains(number))
        model.attempts[number] = attempts
        model.workers[index].underWay.remove(number)
        if state == .waiting { model.workers[index].waiting.insert(number) }
    }

    private func settle(by index: Int, in model: inout Model) async throws {
        #expect(try await model.workers[index].part.settle() == model.abandoned.count)
        for number in model.abandoned { model.attempts[number, default: 0] += 1 }
        model.uncertain.formUnion(model.abandoned)
        model.free.formUnion(model.abandoned)
        model.abandoned = []
    }

    private func adopt(_ limit: Int, by index: Int, in model: inout Model) async throws {
        let found = try await model.workers[index].part.adopt(limit: limit)
        #expect(found.map(\.number) == Array(model.free.sorted().prefix(limit)))
        for claim in found {
            #expect(claim.attempts == model.attempts[claim.number])
            #expect(claim.isUncertain == model.uncertain.contains(claim.number))
        }
        model.free.subtract(found.map(\.number))
        model.workers[index].waiting.formUnion(found.map(\.number))
    }

    /// The end of a part, which the others notice immediately or when its lease expires.
    private func lose(_ index: Int, isExpiry: Bool, in model: inout Model) async throws {
        let part = model.lose(index)
        guard isExpiry else { return try await part.leave() }
        try await shared.expire(part)
        if model.workers.isEmpty { model.workers.append(.init(part: try await shared.join())) }
        try await settle(by: 0, in: &model)
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await part.record(Array(1...Self.people), .ended(.failed))
        }
    }

    @Test("No delivery is lost or attempted without a record", arguments: [1, 2, 3, 4] as [UInt64])
    func noDeliveryIsLostOrAttemptedWithoutARecord(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var model = Model()
        for _ in 0..<90 {
            if model.workers.isEmpty || Int.random(in: 0..<8, using: &generator) == 0 {
                model.workers.append(.init(part: try await shared.join()))
            }
            let index = Int.random(in: model.workers.indices, using: &generator)
            let worker = model.workers[index]
            let limit = Int.random(in: 1...9, using: &generator)
            let (underWay, waiting) = (worker.underWay.sorted(), worker.waiting.sorted())
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1: try await claim(limit, by: index, in: &model)
            case 2, 3:
                for number in underWay.prefix(limit) {
                    let isOver = Bool.random(using: &generator)
                    try await answer(
                        number, isOver ? .ended(.accepted) : .waiting, by: index, in: &model)
                }
            case 4:
                let again = Array(waiting.prefix(limit))
                try await worker.part.claimAgain(again)
                model.workers[index].waiting.subtract(again)
                model.workers[index].underWay.formUnion(again)
            case 5:
                let others = Array(waiting.suffix(limit))
                try await worker.part.letGo(others, on: .apns)
                model.workers[index].waiting.subtract(others)
                model.free.formUnion(others)
            case 6: try await adopt(limit, by: index, in: &model)
            case 7: try await settle(by: index, in: &model)
            default:
                let isExpiry = Bool.random(using: &generator)
                try await lose(index, isExpiry: isExpiry, in: &model)
            }
        }
        try await finish(&model)
    }

    /// One part is left and has all the deliveries.
    private func finish(_ model: inout Model) async throws {
        #expect(try await shared.store.check().damage == [])
        while !model.workers.isEmpty { try await model.lose(0).leave() }
        model.workers.append(.init(part: try await shared.join()))
        try await settle(by: 0, in: &model)
        try await adopt(Self.people, by: 0, in: &model)
        try await claim(Self.people, by: 0, in: &model)
        let worker = model.workers[0]
        for number in worker.waiting.union(worker.underWay).sorted() {
            try await answer(number, .ended(.accepted), by: 0, in: &model)
        }
        let expected = (1...Self.people).map { number in
            RunOnServer.Row(
                number: number, state: .ended(.accepted), attempts: model.attempts[number] ?? 0,
                isUncertain: model.uncertain.contains(number))
        }
        #expect(try await shared.rows() == expected)
        #expect(try await shared.store.check().damage == [])
    }
}
