import CampaignCore
import FoundationEssentials
import GRDB
@unsafe @preconcurrency import GRDBSQLite
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// Tests the work that a store does for any caller and any request.
@Suite(.bounded) struct LookupTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The steps of SQLite's virtual machine, and the rows it reads, for a fetch that finds
    /// nothing.
    private func steps(
        _ store: SQLiteStore, _ query: String, _ id: NotificationID, _ name: String
    ) async throws -> Int32 {
        try await store.read { db in
            let statement = try db.cachedStatement(sql: query)
            _ = unsafe sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 1)
            #expect(
                try store.find(id, for: Username(checked: name), query, db, files: .max) == nil)
            return unsafe sqlite3_stmt_status(
                statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 1)
        }
    }

    @Test(
        "Looking up a missing notification takes as long as another person's",
        arguments: [SQLiteStore.content, SQLiteStore.outline])
    func lookingUpAMissingNotificationTakesAsLongAsAnotherPersons(query: String) async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let names = Samples.names(3_000)
        let large = try await test.stage(names)
        let small = try await test.stage([names[0]], of: Samples.run("bbbbbb", campaign: "b"))
        let own = try await test.stagePersonal(
            Array(names[..<9]), of: Samples.run("cccccc", campaign: "c"))
        let taken = try await test.stage(names, of: Samples.run("eeeeee", campaign: "e"))
        #expect(try await store.revoke(taken, at: Samples.start))
        // An ID that sorts before all others.
        let unknown = NotificationID.placeholder
        var steps: [Int32] = []
        for name in ["user-00002", "user-01777", "zoe", "Adam"] {
            for id in [unknown, small, own[4], taken] {
                steps.append(try await self.steps(store, query, id, name))
            }
        }
        for name in ["zoe", "Adam"] {
            steps.append(try await self.steps(store, query, large, name))
        }
        let (least, most) = (try #require(steps.min()), try #require(steps.max()))
        // A missing row takes a few fewer steps.
        #expect(most - least < 12, "\(steps)")
        // After the last ID, the search starts over.
        let last = NotificationID(checked: String(repeating: "z", count: 26))
        #expect(try await self.steps(store, query, last, "zoe") > least)
    }

    @Test("An inbox covers the newest runs that have not expired")
    func inboxCoversTheNewestRunsThatHaveNotExpired() async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(inboxRuns: 4))
        let test = try StoreUnderTest { store }
        let alice = Samples.names(1)[0]
        var ids: [NotificationID] = []
        for letter in "abcdef" {
            var run = Samples.run("aaaaa\(letter)", campaign: "\(letter)", platforms: [.apns])
            // The fourth notification has expired and is not counted.
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
