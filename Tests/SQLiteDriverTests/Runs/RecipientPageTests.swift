import CampaignCore
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// Tests paging by name through the people of a run with waves.
@Suite(.bounded) struct RecipientPageTests: StoreFileSuite {
    /// The positions of eight people in name order.
    private static let waves = [[1, 3, 6], [0, 4], [2, 5, 7]]
    private static let names = Samples.names(8)

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two runs, so that a search that leaves its own run is detected.
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

    /// The numbers of all people, read in pages.
    private static func walk(_ db: Database, page limit: Int) throws -> [Int] {
        let run = try StoredRun(of: Samples.runID(), db)
        var numbers: [Int] = []
        while numbers.count <= names.count {
            let page = try RecipientPage(of: run, after: numbers.last ?? 0, limit: limit, db)
            if page.people.isEmpty { break }
            numbers += page.people.map(\.number)
        }
        return numbers
    }

    @Test("Pages are sorted by name across all waves")
    func pagesAreSortedByNameAcrossAllWaves() async throws {
        let store = try await eightInThreeWaves()
        try await store.read { db in
            let expected = [4, 1, 6, 2, 5, 7, 3, 8]
            for page in 1...9 { #expect(try Self.walk(db, page: page) == expected) }
            let run = try StoredRun(of: Samples.runID(), db)
            #expect(try RecipientPage(of: run, after: 8, limit: 3, db).last == nil)
            #expect(try RecipientPage(of: run, after: 9, limit: 3, db).last == nil)
            // The cursor can be any number.
            for (place, number) in expected.enumerated() {
                let page = try RecipientPage(of: run, after: number, limit: 3, db)
                #expect(page.people.map(\.number) == Array(expected[(place + 1)...].prefix(3)))
            }
        }
    }

    /// Forgotten people keep their position, and may be the last on a page.
    @Test("Pages neither skip nor repeat people after somebody was forgotten")
    func pagesNeitherSkipNorRepeatPeopleAfterSomebodyWasForgotten() async throws {
        let store = try await eightInThreeWaves()
        let people = Self.waves.joined().map { Self.names[$0] }
        try await store.write { db in
            let run = try StoredRun(of: Samples.runID(), db).key
            for forgotten in 0..<256 {
                let isForgotten = { (number: Int) in forgotten >> (number - 1) & 1 == 1 }
                for number in 1...8 {
                    try db.execute(
                        sql: """
                            UPDATE recipients SET name = ?, place = NULL
                            WHERE run = ? AND number = ?
                            """,
                        arguments: [people[number - 1].text, run, number])
                }
                for number in 1...8 where isForgotten(number) {
                    for erasing in RecipientPage.erasing {
                        try db.run(erasing, [run, people[number - 1].text])
                    }
                }
                let whole = try Self.walk(db, page: 100)
                #expect(whole.sorted() == Array(1...8), "\(forgotten)")
                let named = whole.filter { !isForgotten($0) }.map { people[$0 - 1] }
                #expect(named == named.sorted(), "\(forgotten)")
                for wave in [1...3, 4...5, 6...8] {
                    #expect(whole.filter { wave.contains($0) } == Array(wave), "\(forgotten)")
                }
                for page in 1...3 {
                    #expect(try Self.walk(db, page: page) == whole, "\(forgotten) \(page)")
                }
            }
        }
    }

    @Test("On a page, people forgotten by an older process come first")
    func onAPagePeopleForgottenByAnOlderProcessComeFirst() async throws {
        let store = try await eightInThreeWaves()
        try await change("UPDATE recipients SET name = '' WHERE number IN (2, 6)")
        try await store.read { db in
            for page in 1...9 {
                let numbers = try Self.walk(db, page: page)
                #expect(numbers == [2, 6, 4, 1, 5, 7, 3, 8])
            }
        }
    }

    @Test("A page is found through the indexes of names and forgotten people")
    func pageIsFoundThroughTheIndexesOfNamesAndForgottenPeople() async throws {
        let store = try await eightInThreeWaves()
        let plan = try await store.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(RecipientPage.byName(db.dialect))",
                arguments: [1, "", 0, 5]
            ).map { $0["detail"] as String }
        }
        let searches = plan.filter { $0.hasPrefix("SEARCH") }
        #expect(searches.count == 3)
        #expect(searches.first?.contains("recipients_by_name (run=? AND name>?)") == true)
        #expect(searches.dropFirst().first?.contains("recipients_forgotten (run=? AND") == true)
        #expect(searches.last?.contains("recipients_by_name (run=? AND name=?)") == true)
        #expect(!plan.contains { $0.contains("SCAN recipients") })
    }

    @Test("People to forget are found through indexes")
    func peopleToForgetAreFoundThroughIndexes() async throws {
        let store = try await eightInThreeWaves()
        let plans = try await store.read { db in
            try RecipientPage.erasing.map { erasing in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(erasing)", arguments: [1, "a"])
                    .map { $0["detail"] as String }
            }
        }
        for (plan, index) in zip(
            plans, ["by_name (run=? AND name=?)", "forgotten (run=? AND place=?)"])
        {
            #expect(plan.first?.hasPrefix("SEARCH recipients") == true)
            #expect(plan.first?.hasSuffix("recipients_\(index)") == true)
            #expect(plan.last?.hasSuffix("recipients_by_name (run=? AND name<?)") == true)
        }
    }

    @Test("People who are still being staged are found")
    func peopleWhoAreStillBeingStagedAreFound() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run()
        try await store.begin(run)
        try await store.store(Samples.waves([3, 2, 3]), of: run.id)
        let people = Self.waves.joined().map { StagedRecipient(username: Self.names[$0]) }
        for count in 0...8 {
            if count > 0 { try await store.append([people[count - 1]], to: run.id) }
            try await store.read { db in
                #expect(try Self.walk(db, page: 2).sorted() == Array(0..<count).map { $0 + 1 })
                let run = try StoredRun(of: run.id, db)
                for (index, person) in people.enumerated() {
                    let found = try RecipientPage(person.username, of: run, db)
                    #expect(found?.last == (index < count ? index + 1 : nil))
                }
            }
        }
    }
}
