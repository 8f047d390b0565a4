import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct LookupTests {
    private let names = Samples.names(3)

    /// Names of tables and indexes that a transaction has locked.
    private static let locked =
        "SELECT string_agg(relation::regclass::text, ' ') FROM pg_locks WHERE pid = pg_backend_pid()"

    @Test("A fetch reads no other run's partition")
    func fetchReadsNoOtherRunsPartition() async throws {
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
                _ = try HeldNotification.find(asked, of: names[0], hasContent: true, db)
                return try db.row(Self.locked)?.text(0) ?? ""
            }
            #expect(locked.contains("recipients_few"))
            #expect(!locked.contains("_strange"))
        }
    }

    @Test("Saved plans use an index even if the tables were small before")
    func savedPlansUseAnIndexEvenIfTheTablesWereSmallBefore() async throws {
        let store = try await StoreOnServer().open()
        let plan = try await store.lookUp { db in
            let query = HeldNotification.query(1, true)
            try db.executeScript("PREPARE asked (int8, int8, text, text) AS \(query)")
            return try db.rows("EXPLAIN EXECUTE asked (1, 1, 'a', 'b')")
                .map { try $0.text(0) }.joined(separator: "\n")
        }
        #expect(plan.contains("(key = n.content)") || plan.contains("(key = $"))
        #expect(!plan.contains("Seq Scan"))
        #expect(!plan.contains("Join Filter"))
    }

    @Test("Nobody can fetch a notification whose run's tables were removed")
    func nobodyCanFetchANotificationWhoseRunsTablesWereRemoved() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let id = try await StoreUnderTest { store }.stage(names)
        try await server.execute(
            "UPDATE notification_ids SET run = \(StoreSchema.firstPartitionedKey)")
        #expect(try await store.notification(id, for: names[0]) == nil)
    }

    @Test("A lookup compares names even for an unknown person")
    func lookupComparesNamesEvenForAnUnknownPerson() async throws {
        let store = try await StoreOnServer().open()
        let id = try await StoreUnderTest { store }.stage(names)
        let own = try await StoreUnderTest { store }.stagePersonal(
            names, of: Samples.run("bbbbbb", campaign: "b"))
        let asked: [(NotificationID, String, Int?)] = [
            (id, "user-00002", 2), (id, "user-00002a", nil), (id, "zoe", nil), (id, "a", nil),
            (own[1], "user-00002", 2), (own[1], "user-00001", nil), (own[1], "zoe", nil),
        ]
        for (id, name, number) in asked {
            let place = try await store.lookUp { db in
                let name = Username(checked: name)
                return try HeldNotification.find(id, of: name, hasContent: false, db)?.place
            }
            #expect(place?.number == number)
        }
    }

    @Test("Nobody can fetch a payload whose row is missing")
    func nobodyCanFetchAPayloadWhoseRowIsMissing() async throws {
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

    @Test("A notification cannot be found before staging ends")
    func notificationCannotBeFoundBeforeStagingEnds() async throws {
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

    @Test("Stored text can contain any character") func storedTextCanContainAnyCharacter()
        async throws
    {
        let store = try await StoreOnServer().open()
        let text = "a\u{0}b\u{1}0c"
        let id = try await StoreUnderTest { store }.stage(
            names, notification: Samples.notification(text, type: text))
        let stored = try #require(try await store.notification(id))
        #expect(stored.texts.message == text)
        #expect(stored.type == text)
        let claims = try await store.claimNext(Samples.runID(), platform: .apns, limit: 1)
        #expect(claims.map(\.pushed.texts.message) == [text])
        #expect(claims.map(\.pushed.type) == [text])
    }

    @Test("A person's inbox covers only the newest large and small runs")
    func personsInboxCoversOnlyTheNewestLargeAndSmallRuns() async throws {
        let server = try await StoreOnServer()
        var options = server.options
        options.common.inboxRuns = 2
        let store = try PostgreSQLStore.open(at: server.address, options: options)
        let test = try StoreUnderTest { store }
        var ids: [NotificationID] = []
        for (number, suffix) in ["aaaaaa", "bbbbbb", "cccccc"].enumerated() {
            let run = Samples.run(
                suffix, campaign: suffix, started: Samples.start + Double(number))
            ids.append(try await test.stage(names, of: run))
            try await test.accept(1...3, of: run.id)
        }
        let seen = try await store.notifications(
            for: names[0], isUnread: false, after: nil, limit: 9, at: Samples.start + 9)
        #expect(seen.map(\.notification.id) == [ids[2], ids[1]])
    }
}
