import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(.bounded, .postgreSQL) struct LookupTests {
    private let names = Samples.names(3)

    /// Names of tables and indexes that a transaction has locked.
    private static let locked =
        "SELECT string_agg(relation::regclass::text, ' ') FROM pg_locks WHERE pid = pg_backend_pid()"

    @Test func noFetchLooksIntoAnotherRunsPartition() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let id = try await StoreUnderTest { store }.stage(names)
        try await server.execute(
            ["recipients", "notifications", "receipts"].map { table in
                """
                CREATE TABLE \(table)_strange PARTITION OF \(table)
                    FOR VALUES FROM (9000000000000000000) TO (9000000000000000001);
                """
            }.joined())
        let names = names
        for asked in [id, .placeholder] {
            let locked = try await store.read { db in
                let place = try NotificationPlace.nearest(asked, db)?.1
                _ = try place?.holding(of: names[0], db)
                return try db.row(Self.locked)?.text(0) ?? ""
            }
            #expect(locked.contains("recipients_few"))
            #expect(!locked.contains("_strange"))
        }
    }

    @Test func whoIsAskedForIsComparedWithSomebodyWhoeverTheyAre() async throws {
        let store = try await StoreOnServer().open()
        let id = try await StoreUnderTest { store }.stage(names)
        let own = try await StoreUnderTest { store }.stagePersonal(
            names, of: Samples.run("bbbbbb", campaign: "b"))
        let asked: [(NotificationID, String, Int?)] = [
            (id, "user-00002", 2), (id, "user-00002a", nil), (id, "zoe", nil), (id, "a", nil),
            (own[1], "user-00002", 2), (own[1], "user-00001", nil), (own[1], "zoe", nil),
        ]
        for (id, name, number) in asked {
            let holding = try await store.read { db in
                try NotificationPlace.find(id, db)?.holding(of: Username(checked: name), db)
            }
            #expect(holding?.number == number)
            #expect(holding?.isRevoked == false)
        }
    }

    @Test func aPayloadWhoseRowIsGoneIsNobodys() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let id = try await StoreUnderTest { store }.stage(names)
        try await server.execute("DELETE FROM notifications")
        #expect(try await store.notification(id) == nil)
        #expect(try await store.notification(id, for: names[0]) == nil)
        #expect(
            try await store.notifications(
                for: names[0], isUnread: false, after: id, limit: 9, at: Samples.start
            ).isEmpty)
    }

    @Test func whatIsStagedIsNotFoundBeforeItIsWhole() async throws {
        let store = try await StoreOnServer().open()
        let run = Samples.run()
        let notification = Samples.notification()
        try await store.begin(run)
        try await store.store(notification, of: run.id)
        try await store.append(names.map { StagedRecipient(username: $0) }, to: run.id)
        #expect(try await store.notification(notification.id, for: names[0]) == nil)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 3))
        #expect(try await store.notification(notification.id, for: names[0]) != nil)
    }

    @Test func aTextMayHaveAnyCharacter() async throws {
        let store = try await StoreOnServer().open()
        let text = "a\u{0}b\u{1}0c"
        let id = try await StoreUnderTest { store }.stage(
            names, notification: Samples.notification(text, type: text))
        let stored = try #require(try await store.notification(id))
        #expect(stored.message == text)
        #expect(stored.type == text)
        let claims = try await store.claimNext(Samples.runID(), platform: .apns, limit: 1)
        #expect(claims.map(\.pushed.texts.message) == [text])
        #expect(claims.map(\.pushed.type) == [text])
    }

    @Test func runsAreListedByTheirBeginningWhereverTheirRowsAre() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let late = Samples.run("aaaaaa", campaign: "late", started: Samples.start + 9)
        let early = Samples.run("bbbbbb", campaign: "early")
        let ids = [try await test.stage(names, of: late), try await test.stage(names, of: early)]
        for run in [late, early] { try await test.accept(1...3, of: run.id) }
        for first in [nil, ids[0]] {
            let rest = first == nil ? ids : [ids[1]]
            let seen = try await store.notifications(
                for: names[0], isUnread: false, after: first, limit: 9, at: Samples.start)
            #expect(seen.map(\.notification.id) == rest)
            let listed = try await store.overviews(run: nil, after: first, limit: 9)
            #expect(listed.map(\.id) == rest)
        }
    }
}
