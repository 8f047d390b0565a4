import CampaignCore
import PostgreSQLClient
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver
@testable import Storage

@Suite(.bounded, .postgreSQL) struct OpeningTests {
    @Test("Only one of several hosts creates the store")
    func onlyOneOfSeveralHostsCreatesTheStore() async throws {
        let server = try await StoreOnServer()
        let identities = try await withThrowingTaskGroup(of: String.self) { tasks in
            for _ in 0..<6 {
                tasks.addTask { try server.open().identity }
            }
            return try await tasks.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(identities.count == 1)
        let store = try server.open()
        #expect(try await store.number("SELECT count(*) FROM hubsend_schema") == 1)
        #expect(try await store.runs(campaign: nil, limit: 1).isEmpty)
    }

    @Test("Another program's schema is refused and left unchanged")
    func anotherProgramsSchemaIsRefusedAndLeftUnchanged() async throws {
        let server = try await StoreOnServer()
        try await server.execute("CREATE TABLE people (name TEXT)")
        let error = StoreError.notAStore(.server(server.address.description))
        #expect(throws: error) { try server.open() }
        #expect(throws: error) {
            try PostgreSQLStore.openForReading(at: server.address, options: server.options)
        }
        try await server.execute(
            """
            DO $$ BEGIN
                ASSERT (SELECT count(*) = 1 FROM pg_class
                    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S'));
            END $$
            """)
    }

    @Test("Opening for reading creates nothing") func openingForReadingCreatesNothing() async throws
    {
        let server = try await StoreOnServer()
        let error = StoreError.notFound(.server(server.address.description))
        for _ in 0..<2 {
            #expect(throws: error) {
                try PostgreSQLStore.openForReading(at: server.address, options: server.options)
            }
        }
    }

    @Test("A store opened for reading cannot be written")
    func storeOpenedForReadingCannotBeWritten() async throws {
        let server = try await StoreOnServer()
        let run = Samples.run()
        try await server.open().begin(run)
        let reader = try PostgreSQLStore.openForReading(
            at: server.address, options: server.options)
        #expect(try await reader.run(run.id) == run)
        await #expect(throws: StoreError.readOnly(reader.place)) {
            try await reader.requestStop(run.id, .resumable)
        }
    }

    @Test("A newer store is used if it is compatible with this version")
    func newerStoreIsUsedIfItIsCompatibleWithThisVersion() async throws {
        let server = try await StoreOnServer()
        try server.open().close()
        let version = StoreSchema.version
        try await server.execute(
            "UPDATE hubsend_schema SET version = \(version + 1), least_version = \(version)")
        let worker = try server.open()
        #expect(await worker.placeProblem() == nil)
        try await server.execute(
            "UPDATE hubsend_schema SET version = \(version + 2), least_version = \(version + 1)")
        let error = StoreError.newerVersion(worker.place)
        #expect(throws: error) { try server.open() }
        #expect(await worker.placeProblem() == error)
    }

    @Test("A migration does not mark a partly copied store as complete")
    func migrationDoesNotMarkAPartlyCopiedStoreAsComplete() async throws {
        let server = try await StoreOnServer()
        try server.open().close()
        try await server.execute("INSERT INTO store_origin (fingerprint, begun) VALUES ('f', 1)")
        let error = StoreError.incomplete(.server(server.address.description))
        try await server.execute(EarlierSchema.withoutLastStepOnServer)
        #expect(throws: error) { try server.open() }
        try await server.execute(EarlierSchema.withoutLastStepOnServer)
        #expect(throws: error) {
            try PostgreSQLStore.openForReading(at: server.address, options: server.options)
        }
        try await server.execute(EarlierSchema.withoutLastStepOnServer)
        var options = server.options
        options.isCopyTarget = true
        try PostgreSQLStore.open(at: server.address, options: options).close()
    }

    @Test("The error about a missing schema says that it is missing")
    func errorAboutAMissingSchemaSaysThatItIsMissing()
        async throws
    {
        let server = try await StoreOnServer()
        let elsewhere = try PostgreSQLAddress(
            server.address.text.replacing("search_path%3Dt_", with: "search_path%3Dnowhere_"))
        #expect(
            throws: StoreError.refused(
                .server(elsewhere.description),
                reason: "no schema in its search_path exists")
        ) {
            try PostgreSQLStore.open(at: elsewhere, options: server.options)
        }
    }

    @Test("A new store in the same schema is recognised as another store")
    func newStoreInTheSameSchemaIsRecognisedAsAnotherStore() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        #expect(await store.placeProblem() == nil)
        try await server.execute(
            """
            DO $$ BEGIN
                EXECUTE format('DROP SCHEMA %I CASCADE', current_schema());
                EXECUTE format('CREATE SCHEMA %I', split_part(current_setting('search_path'), ',', 1));
            END $$
            """)
        #expect(await store.placeProblem() == .replaced(store.place))
        let other = try server.open()
        #expect(other.identity != store.identity)
        #expect(await store.placeProblem() == .replaced(store.place))
        #expect(await other.placeProblem() == nil)
    }

    @Test("A host's key files are created in its folder")
    func hostsKeyFilesAreCreatedInItsFolder() throws {
        let folder = try TemporaryFolder()
        let file = PayloadKeyFile(in: folder.file("a/b"))
        #expect(try file.read() == nil)
        let (key, isNew) = try file.readOrMake()
        #expect(isNew)
        #expect(try file.readOrMake().isNew == false)
        #expect(try file.read()?.encoded == key.encoded)
    }
}
