import CampaignCore
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteStorage
@testable import Storage

@Suite(.bounded) struct RecipientOrderTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two runs, so that a search that leaves its own is seen.
    private func store(_ names: [Username]) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stage(names, of: Samples.run())
        try await test.stage(Samples.names(30), of: Samples.run("bbbbbb", campaign: "other"))
        return store
    }

    private func search<Value: Sendable>(
        _ store: SQLiteStore, _ body: @escaping @Sendable (RecipientOrder) throws -> Value
    ) async throws -> Value {
        try await store.read { db in
            try body(RecipientOrder(run: try StoredRun(of: Samples.runID(), db).key, db))
        }
    }

    @Test(arguments: [1, 2, 3, 16, 17])
    func everyNameIsFoundAndNoOther(count: Int) async throws {
        let all = Samples.names(2 * count + 1)
        let names = (0..<count).map { all[2 * $0 + 1] }
        let others = (0...count).map { all[2 * $0] }
        let store = try await store(names)
        let found = try await search(store) { order in try names.map(order.number) }
        #expect(found == Array(1...count))
        let foreign = try await search(store) { order in try others.map(order.number) }
        #expect(foreign == others.map { _ in nil })
    }

    @Test func namesBetweenTwoAreARangeOfNumbers() async throws {
        let all = Samples.names(21)
        // 2, 4, ... 20 are the run's, with numbers 1 to 10.
        let names = (1...10).map { all[2 * $0 - 1] }
        let store = try await store(names)
        let expected: [(Int, Int, [Range<Int>])] = [
            (2, 20, [1..<11]), (1, 21, [1..<11]), (4, 8, [2..<5]), (3, 9, [2..<5]),
            (4, 4, [2..<3]), (5, 5, []), (1, 1, []), (21, 21, []),
        ]
        for (first, last, numbers) in expected {
            let found = try await search(store) { order in
                try order.numbers(from: all[first - 1], through: all[last - 1])
            }
            #expect(found == numbers, "\(first)...\(last)")
        }
    }

    @Test func aRunWithoutRecipientsHasNobody() async throws {
        let store = try await store([])
        let found = try await search(store) { order in
            try order.number(of: Username(checked: "user-00001"))
        }
        #expect(found == nil)
    }

    /// What is asked once a fetch must not grow with the run.
    @Test func aSearchLooksAtFewRows() async throws {
        let names = Samples.names(4_000)
        let store = try await store(names)
        let most = try await store.read { db in
            let order = try RecipientOrder(run: try StoredRun(of: Samples.runID(), db).key, db)
            var most = 0
            for name in [names[0], names[1_999], names[3_999]] {
                var queries = 0
                db.trace { _ in queries += 1 }
                _ = try order.number(of: name)
                db.trace(options: [])
                most = max(most, queries)
            }
            return most
        }
        #expect((1...14).contains(most))
    }
}
