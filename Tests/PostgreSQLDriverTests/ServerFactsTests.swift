import FoundationEssentials
import PostgreSQLClient
import Storage
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct ServerFactsTests {
    /// The same address with another role.
    private func address(_ server: StoreOnServer, as role: String) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(server.address.text.replacing("user=postgres", with: "user=\(role)"))
    }

    @Test("The facts about a server include its version and connection")
    func factsAboutAServerIncludeItsVersionAndConnection() async throws {
        let store = try await StoreOnServer().open()
        let facts = try await store.serverFacts()
        #expect(facts.version.first?.isNumber == true)
        #expect(!facts.version.contains(" "))
        #expect(facts.encryption == nil)
        #expect(!facts.isProven)
        #expect(facts.isOnSocket)
        #expect(!facts.isReplica)
        #expect(facts.mayWrite)
    }

    @Test("The difference from the server's clock is measured")
    func differenceFromTheServersClockIsMeasured() async throws {
        let store = try await StoreOnServer().open()
        for seconds in [-3_600.0, 3_600] {
            let facts = try await store.serverFacts(now: { Date() - seconds })
            let difference = facts.clockAhead - .seconds(seconds)
            #expect(.seconds(-30) < difference && difference < .seconds(30))
        }
    }

    @Test("A role that cannot write or create tables is detected")
    func roleThatCannotWriteOrCreateTablesIsDetected() async throws {
        let server = try await StoreOnServer()
        try await server.execute(
            """
            CREATE ROLE facts_reader LOGIN;
            DO $$ BEGIN
                EXECUTE format('GRANT USAGE ON SCHEMA %I TO facts_reader', current_schema());
            END $$
            """)
        let reader = try address(server, as: "facts_reader")
        let fault = #expect(throws: StoreError.self) {
            try PostgreSQLStore.checkPlace(at: reader)
        }
        guard case .refused(_, let reason)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(reason.hasPrefix("the role may not create tables in the schema t_"))
        try PostgreSQLStore.checkPlace(at: server.address)

        try server.open().close()
        try await server.execute(
            """
            DO $$ BEGIN
                EXECUTE format(
                    'GRANT SELECT ON ALL TABLES IN SCHEMA %I TO facts_reader', current_schema());
            END $$
            """)
        let store = try PostgreSQLStore.openForReading(at: reader, options: server.options)
        #expect(try await !store.serverFacts().mayWrite)
    }
}
