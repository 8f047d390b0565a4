import CampaignCore
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteStorage
@testable import Storage

/// How a run's people are found and paged through by name, where they are numbered wave by wave.
@Suite(.bounded) struct WaveOrderTests: StoreFileSuite {
    /// Places of eight people in name order.
    private static let waves = [[1, 3, 6], [0, 4], [2, 5, 7]]
    private static let names = Samples.names(8)

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two runs, so that a search that leaves its own is seen.
    private func store(_ waves: [[Username]]) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stage(inWavesOf: waves.map(\.count), names: waves.flatMap(\.self))
        try await test.stage(Samples.names(30), of: Samples.run("bbbbbb", campaign: "other"))
        return store
    }

    private func eightInThreeWaves() async throws -> SQLiteStore {
        try await store(Self.waves.map { wave in wave.map { Self.names[$0] } })
    }

    /// Every third of many people in each of three waves.
    private func store(of names: [Username]) async throws -> SQLiteStore {
        try await store(
            (0..<3).map { wave in
                stride(from: wave, to: names.count, by: 3).map { names[$0] }
            })
    }

    private static func order(_ db: Database) throws -> RecipientOrder {
        try RecipientOrder(run: try StoredRun(of: Samples.runID(), db).key, db)
    }

    private static func numbers(_ page: RecipientPage) -> [Int] {
        page.values { part, take in
            for number in part { take(number, number) }
        }
    }

    /// All numbers, read in pages.
    private static func walk(_ order: RecipientOrder, page limit: Int) throws -> [Int] {
        var numbers: [Int] = []
        var last = 0
        while numbers.count <= order.count {
            let page = try order.page(after: last, limit: limit)
            guard let next = page.last else { break }
            numbers += Self.numbers(page)
            last = next
        }
        return numbers
    }

    /// How many statements something takes.
    private static func statements(_ db: Database, _ body: () throws -> Void) rethrows -> Int {
        var statements = 0
        db.trace { _ in statements += 1 }
        defer { db.trace(options: []) }
        try body()
        return statements
    }

    @Test func everyNameIsFoundInItsWaveAndNoOther() async throws {
        let all = Samples.names(61)
        let names = (0..<30).map { all[2 * $0 + 1] }
        let others = (0...30).map { all[2 * $0] }
        let store = try await store(of: names)
        try await store.read { db in
            let order = try Self.order(db)
            #expect(order.waves == [1..<11, 11..<21, 21..<31])
            for (place, name) in names.enumerated() {
                let number = 10 * (place % 3) + place / 3 + 1
                #expect(try order.number(of: name) == number)
                #expect(try order.number(of: name, in: order.waves[place % 3]) == number)
                #expect(try order.number(of: name, in: order.waves[(place + 1) % 3]) == nil)
            }
            for name in others {
                #expect(try order.number(of: name) == nil)
            }
        }
    }

    @Test func namesBetweenTwoAreARangeInEachWaveThatHasAny() async throws {
        let store = try await eightInThreeWaves()
        let expected: [(Int, Int, [Range<Int>])] = [
            (0, 7, [1..<4, 4..<6, 6..<9]), (1, 3, [1..<3, 6..<7]), (4, 4, [5..<6]),
            (5, 7, [3..<4, 7..<9]), (0, 0, [4..<5]),
        ]
        try await store.read { db in
            let order = try Self.order(db)
            for (first, last, numbers) in expected {
                #expect(
                    try order.numbers(from: Self.names[first], through: Self.names[last])
                        == numbers,
                    "\(first)...\(last)")
            }
            let none = try order.numbers(
                from: Username(checked: "user-00001a"), through: Username(checked: "user-00001b"))
            #expect(none == [])
        }
    }

    @Test func pagesGoByNameOverAllWaves() async throws {
        let store = try await eightInThreeWaves()
        try await store.read { db in
            let order = try Self.order(db)
            let expected = [4, 1, 6, 2, 5, 7, 3, 8]
            for page in 1...9 { #expect(try Self.walk(order, page: page) == expected) }
            #expect(try order.page(after: 8, limit: 3).last == nil)
            #expect(try order.page(after: 9, limit: 3).last == nil)
            // The cursor is any number.
            for (place, number) in expected.enumerated() {
                let page = try order.page(after: number, limit: 3)
                #expect(Self.numbers(page) == Array(expected[(place + 1)...].prefix(3)))
            }
        }
    }

    /// Whoever was forgotten stands where they stood, and may be the last of a page.
    @Test func pagesMissNobodyAndRepeatNobodyWhoeverWasForgotten() async throws {
        let store = try await eightInThreeWaves()
        let people = Self.waves.joined().map { Self.names[$0] }
        try await store.write { db in
            let order = try Self.order(db)
            let run = try StoredRun(of: Samples.runID(), db).key
            for forgotten in 0..<256 {
                let isForgotten = { (number: Int) in forgotten >> (number - 1) & 1 == 1 }
                for number in 1...8 {
                    try db.execute(
                        sql: "UPDATE recipients SET name = ? WHERE run = ? AND number = ?",
                        arguments: [
                            isForgotten(number) ? "" : people[number - 1].text, run, number,
                        ])
                }
                let whole = try Self.walk(order, page: 100)
                #expect(whole.sorted() == Array(1...8), "\(forgotten)")
                let named = whole.filter { !isForgotten($0) }.map { people[$0 - 1] }
                #expect(named == named.sorted(), "\(forgotten)")
                for wave in order.waves {
                    #expect(whole.filter { wave.contains($0) } == Array(wave), "\(forgotten)")
                }
                for page in 1...3 {
                    #expect(try Self.walk(order, page: page) == whole, "\(forgotten) \(page)")
                }
            }
        }
    }

    @Test func aPageReadsTheNamesOfItsPeopleSomeAtATime() async throws {
        let store = try await store(of: Samples.names(3_000))
        try await store.read { db in
            let order = try Self.order(db)
            for number in [0, 400, 1_500, 2_900] {
                let statements = try Self.statements(db) {
                    _ = try order.page(after: number, limit: 90)
                }
                // Two waves are searched, among a thousand each; ninety names are read in as many parts as that takes.
                #expect((3...40).contains(statements), "\(number)")
            }
        }
    }

    @Test func whoIsBeingWrittenDownIsFoundAlready() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run()
        try await store.begin(run)
        try await store.store(Samples.waves([3, 2, 3]), of: run.id)
        let people = Self.waves.joined().map { StagedRecipient(username: Self.names[$0]) }
        for count in 0...8 {
            if count > 0 { try await store.append([people[count - 1]], to: run.id) }
            try await store.read { db in
                let order = try Self.order(db)
                #expect(try Self.walk(order, page: 2).sorted() == Array(0..<count).map { $0 + 1 })
                for (index, person) in people.enumerated() {
                    let expected = index < count ? index + 1 : nil
                    #expect(try order.number(of: person.username) == expected)
                }
            }
        }
    }

    @Test(arguments: [
        "DELETE FROM run_waves WHERE number = 1", "DELETE FROM run_waves WHERE number = 3",
        "UPDATE run_waves SET first = 5 WHERE number = 2",
        "UPDATE run_waves SET last = 6 WHERE number = 2",
    ])
    func wavesWithAGapAreDamage(change: String) async throws {
        let store = try await eightInThreeWaves()
        try await store.write { db in try db.execute(sql: change) }
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.reportPage(Samples.runID(), after: 0, recipients: 3)
        }
    }
}
