import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct ForgettingTests {
    private static let carol = Username(checked: "carol-the-forgotten")
    private static let people = ["alice", "bob", "carol-the-forgotten", "dave", "erin"]
        .map { Username(checked: $0) }

    /// The tables with a row that contains a name, as text or in bytes.
    private static func tables(with name: Username, in store: PostgreSQLStore) async throws
        -> [String]
    {
        let bytes = Hexadecimal.text(Array(name.text.utf8))
        return try await store.read { db in
            try db.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
                .map { try $0.text(0) }
                .filter { table in
                    try db.row(
                        """
                        SELECT 1 FROM \(table) t
                        WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1
                        """, [name.text, bytes]) != nil
                }
        }
    }

    @Test("No row contains a forgotten name", arguments: [1, StoreSchema.partitionPeople])
    func noRowContainsAForgottenName(expecting count: Int) async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns, .fcm])
        try await store.begin(run, expecting: count)
        try await store.append(
            Self.people.map { name in
                StagedRecipient(username: name, notification: Samples.notification("dear \(name)"))
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: 5))
        try await test.accept(1...2, of: run.id)
        _ = try await store.claimNext(run.id, platform: .apns, limit: 2)
        let said = "400: username:carol-the-forgotten is no"
        try await store.record(
            [
                Samples.record(
                    3, .apns, .ended(.rejected), detail: said, hubMessage: "m-carol-the-forgotten"),
                Samples.record(4, .apns, .ended(.rejected), detail: said),
            ], requests: 1, of: run.id)
        try await store.setState(
            .paused, reason: "The hub refused (\(said)).", of: run.id, at: Samples.start + 500)
        try await store.issue("17-4", to: Self.carol, handle: nil, at: Samples.start)
        #expect(try await !Self.tables(with: Self.carol, in: store).isEmpty)
        let forgotten = try await store.forget(Self.carol, at: Samples.start + 600)
        #expect(forgotten.runs == 1)
        #expect(forgotten.payloads == 1)
        #expect(forgotten.registrations == 1)
        #expect(!forgotten.isErased)
        #expect(try await Self.tables(with: Self.carol, in: store) == [])
        try await store.verify(run.id)
        #expect(try await store.check().damage == [])
    }

    @Test("Forgetting vacuums only tables that contained the name")
    func forgettingVacuumsOnlyTablesThatContainedTheName() async throws {
        let store = try await StoreOnServer().open()
        try await StoreUnderTest { store }.stage(Self.people)
        _ = try await store.forget(Self.carol, at: Samples.start)
        let vacuumed = try await store.read { db in
            try db.rows(
                """
                SELECT relname::text FROM pg_stat_user_tables
                WHERE schemaname = current_schema() AND vacuum_count > 0 ORDER BY 1
                """
            ).map { try $0.text(0) }
        }
        #expect(vacuumed == ["deliveries_few", "recipients_few"])
    }

    @Test("A forgotten person's placeholder never names another forgotten person")
    func forgottenPersonsPlaceholderNeverNamesAnotherForgottenPerson() async throws {
        let store = try await StoreOnServer().open()
        try await StoreUnderTest { store }.stage(
            inWavesOf: [2, 3], names: [2, 3, 0, 1, 4].map { Self.people[$0] })
        for person in [Self.people[3], Self.carol] {
            _ = try await store.forget(person, at: Samples.start)
            #expect(try await Self.tables(with: person, in: store) == [])
        }
    }

    @Test("Hosts that forget people at the same time forget all of them")
    func hostsThatForgetPeopleAtTheSameTimeForgetAllOfThem() async throws {
        let server = try await StoreOnServer()
        let stores = try Self.people.map { _ in try server.open() }
        try await StoreUnderTest { stores[0] }.stage(Self.people)
        try await stores[0].setState(
            .finished, reason: nil, of: Samples.runID(), at: Samples.start + 60)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (store, person) in zip(stores, Self.people) {
                tasks.addTask { _ = try await store.forget(person, at: Samples.start + 600) }
            }
            try await tasks.waitForAll()
        }
        for person in Self.people {
            #expect(try await Self.tables(with: person, in: stores[0]) == [])
        }
        #expect(try await stores[0].forgotten(among: Self.people) == Set(Self.people))
        try await stores[0].verify(Samples.runID())
    }

    @Test("A host without the right key cannot check for forgotten people")
    func hostWithoutTheRightKeyCannotCheckForForgottenPeople() async throws {
        let server = try await StoreOnServer()
        _ = try await server.open().forget(Self.carol, at: Samples.start)
        let elsewhere = try TemporaryFolder()
        let wrong = try #require(PayloadKey(String(repeating: "07", count: 32)))
        for key in [PayloadKeySource.fileBesideStore, .given(wrong)] {
            let host = try PostgreSQLStore.open(
                at: server.address,
                options: PostgreSQLStoreOptions(
                    StoreOptions(payloadKey: key), keyFolder: elsewhere.path))
            let missing = StoreError.noForgottenKey(host.place, file: host.keyring.path)
            #expect(missing.description.contains("from another host"))
            await #expect(throws: missing) { try await host.forgotten(among: Self.people) }
            await #expect(throws: missing) {
                try await host.forget(Self.people[0], at: Samples.start)
            }
        }
        #expect(try elsewhere.contents() == [])
    }
}
