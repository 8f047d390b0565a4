import CampaignCore
import FoundationEssentials
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteStorage
@testable import Storage

/// How much work a store does for a caller, whoever it is and whatever they ask for.
@Suite(.bounded) struct LookupTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How many statements one fetch takes.
    private func statements(
        _ store: SQLiteStore, _ id: NotificationID, _ name: String
    ) async throws -> Int {
        try await store.read { db in
            var statements = 0
            db.trace { _ in statements += 1 }
            defer { db.trace(options: []) }
            let found = try store.find(
                id, for: Username(checked: name), SQLiteStore.outline, db)
            #expect(found == nil)
            return statements
        }
    }

    @Test func whatIsNotThereCostsWhatIsAnotherPersonsDoes() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let names = Samples.names(3_000)
        let large = try await test.stage(names)
        let small = try await test.stage([names[0]], of: Samples.run("bbbbbb", campaign: "b"))
        let own = try await test.stagePersonal(
            Array(names[..<9]), of: Samples.run("cccccc", campaign: "c"))
        let nobodys = try await test.stage([], of: Samples.run("dddddd", campaign: "d"))
        let taken = try await test.stage(names, of: Samples.run("eeeeee", campaign: "e"))
        #expect(try await store.revoke(taken, at: Samples.start))
        // Before all others; the last is behind them, and begins anew.
        let unknown = NotificationID.placeholder
        let expected = try await statements(store, unknown, "user-00002")
        #expect(expected > 25)
        for name in ["user-00002", "user-01777", "zoe", "Adam"] {
            #expect(try await statements(store, unknown, name) == expected)
            #expect(try await statements(store, small, name) == expected)
            #expect(try await statements(store, own[4], name) == expected)
            #expect(try await statements(store, nobodys, name) == expected)
            #expect(try await statements(store, taken, name) == expected)
        }
        for name in ["zoe", "Adam"] {
            #expect(try await statements(store, large, name) == expected)
        }
        let last = NotificationID(checked: String(repeating: "z", count: 26))
        #expect(try await statements(store, last, "zoe") == expected + 1)
    }

    @Test func inARunWithWavesItCostsTheSameForEverybody() async throws {
        let store = try SQLiteStore.open(at: path)
        let run = Samples.run()
        let recipients = Samples.names(30).map { name in
            StagedRecipient(username: name, notification: Samples.notification("dear \(name)"))
        }
        try await store.begin(run)
        try await store.store(Samples.waves([10, 4, 16]), of: run.id)
        try await store.append(recipients, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 30))
        let id = try #require(recipients[4].notification).id
        let expected = try await statements(store, id, "zoe")
        #expect(expected > 75)
        for name in ["user-00001", "user-00012", "user-00030", "Adam", "user-00005x"] {
            #expect(try await statements(store, id, name) == expected)
            #expect(try await statements(store, .placeholder, name) == expected)
        }
    }

    @Test func aListIsMadeFromTheNewestRunsThatHaveNotExpired() async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(inboxRuns: 4))
        let test = try StoreUnderTest { store }
        let alice = Samples.names(1)[0]
        var ids: [NotificationID] = []
        for letter in "abcdef" {
            var run = Samples.run(
                "aaaaa\(letter)", campaign: "\(letter)", platforms: [.apns])
            // The fourth has expired, and does not count.
            if letter == "d" { run.expires = Samples.start + 1 }
            ids.append(try await test.stage([alice], of: run))
            try await test.accept(1...1, of: run.id)
        }
        let page = { (last: NotificationID?) async throws -> [NotificationID] in
            try await store.notifications(
                for: alice, isUnread: false, after: last, limit: 3, at: Samples.start + 60
            ).map(\.notification.id)
        }
        #expect(try await page(nil) == [ids[5], ids[4], ids[2]])
        #expect(try await page(ids[2]) == [ids[1]])
        #expect(try await page(ids[1]) == [])
        #expect(try await page(ids[0]) == [])
    }
}
