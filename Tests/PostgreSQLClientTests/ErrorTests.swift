import PostgreSQLClient
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct ErrorTests {
    @Test(
        "Server errors are classified by their code",
        arguments: [
            ("SELECT * FROM nothing", PostgreSQLError.Kind.undefinedObject, "42P01"),
            ("SELECT * FROM nowhere.nothing", .undefinedObject, "42P01"),
            ("CREATE TABLE nowhere.nothing ()", .undefinedObject, "3F000"),
            ("SELECT nothing", .undefinedObject, "42703"),
            ("INSERT INTO people VALUES (1)", .uniqueViolation, "23505"),
            ("SELEKT", .other, "42601"),
            ("DO 'BEGIN RAISE SQLSTATE ''53100''; END'", .diskFull, "53100"),
            ("DO 'BEGIN RAISE SQLSTATE ''XX001''; END'", .damaged, "XX001"),
            ("DO 'BEGIN RAISE SQLSTATE ''42501''; END'", .refused, "42501"),
            ("DO 'BEGIN RAISE SQLSTATE ''58030''; END'", .interrupted, "58030"),
            ("DO 'BEGIN RAISE SQLSTATE ''53200''; END'", .interrupted, "53200"),
            ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(60)", .interrupted, "57014"),
            ("SET LOCAL transaction_read_only = on; DELETE FROM people", .readOnly, "25006"),
        ])
    func serverErrorsAreClassifiedByTheirCode(
        sql: String, kind: PostgreSQLError.Kind, state: String
    ) async throws {
        let pool = try await pool()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                try connection.executeScript(
                    "CREATE TABLE people (id int8 PRIMARY KEY); INSERT INTO people VALUES (1)")
                try connection.executeScript(sql)
            }
        }

        #expect(error?.kind == kind)
        #expect(error?.sqlState == state)
        #expect(error?.isCommitUncertain == false)
    }

    @Test("A read transaction cannot write") func readTransactionCannotWrite() async throws {
        let pool = try await pool()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.read) { try $0.executeScript("CREATE TABLE a ()") }
        }

        #expect(error?.kind == .readOnly)
    }

    @Test("A read-only pool cannot write") func readOnlyPoolCannotWrite() async throws {
        let pool = try await pool(PostgreSQLPoolOptions(isReadOnly: true))
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { try $0.executeScript("CREATE TABLE a ()") }
        }

        #expect(error?.kind == .readOnly)
    }

    @Test("No error contains a stored value") func noErrorContainsAStoredValue() async throws {
        let pool = try await pool()
        try await pool.withConnection { connection in
            try connection.executeScript(
                "CREATE TABLE people (name text PRIMARY KEY, age int8 CHECK (age > 0))")
            try connection.execute("INSERT INTO people VALUES ($1, 1)", ["anna"])
            for (sql, value) in [
                ("INSERT INTO people VALUES ($1, 1)", "anna"),
                ("INSERT INTO people VALUES ($1, -1)", "anna"),
                ("SELECT $1::int8", "anna"), ("SELECT $1::text::json", "anna"),
                ("SELECT $1::date", "anna"),
            ] {
                let error = #expect(throws: PostgreSQLError.self) {
                    try connection.execute(sql, [value])
                }
                #expect(try !"\(#require(error))".contains("anna"), "\(sql)")
            }
        }
    }

    @Test("An error message is one short line") func errorMessageIsOneShortLine() {
        let error = PostgreSQLError(
            .other, message: "one\n two\u{1b}[31m" + String(repeating: "x", count: 1_000))

        #expect(error.message.hasPrefix("one two\u{fffd}[31mx"))
        #expect(error.message.count == 500)
    }

    @Test("A failed connection explains why") func failedConnectionExplainsWhy() async throws {
        let folder = try await PostgreSQLServer.shared.folder()
        for (uri, kind) in [
            ("postgresql:///nothing?host=\(folder)&user=postgres", PostgreSQLError.Kind.refused),
            ("postgresql:///postgres?host=\(folder)&user=nobody", .refused),
            ("postgresql:///postgres?host=\(folder)/nowhere&user=postgres", .unreachable),
            ("postgresql://postgres:s3cret@127.0.0.1:1/postgres", .unreachable),
            (
                "postgresql://postgres:s3cret@127.0.0.1:1/postgres?sslmode=verify-full&sslrootcert=/nowhere",
                .unreachable
            ),
            ("postgresql:///nothing?host=\(folder)/nowhere,\(folder)&user=postgres", .refused),
            ("postgresql:///postgres?host=\(folder)&user=postgres&sslmode=none", .refused),
        ] {
            let pool = PostgreSQLPool(try PostgreSQLAddress(uri))
            let error = await #expect(throws: PostgreSQLError.self, "\(uri)") {
                try await pool.withConnection { $0.serverVersion }
            }
            #expect(error?.kind == kind, "\(uri): \(error as Any)")
            #expect(try !"\(#require(error))".contains("s3cret"))
        }
    }

    @Test("A replica and a missing primary together count as unreachable")
    func replicaAndAMissingPrimaryTogetherCountAsUnreachable() async throws {
        let folder = try await PostgreSQLServer.shared.folder()
        // Like a replica, this session accepts no writes.
        let replica =
            "user=postgres&target_session_attrs=read-write&options=-cdefault_transaction_read_only%3Don"
        for (hosts, kind) in [
            (folder, PostgreSQLError.Kind.readOnly), ("\(folder)/nowhere,\(folder)", .unreachable),
            ("\(folder),\(folder)/nowhere", .unreachable),
        ] {
            let pool = PostgreSQLPool(
                try PostgreSQLAddress("postgresql:///postgres?host=\(hosts)&\(replica)"))
            let error = await #expect(throws: PostgreSQLError.self, "\(hosts)") {
                try await pool.withConnection { $0.serverVersion }
            }
            #expect(error?.kind == kind, "\(hosts): \(error as Any)")
        }
    }

    @Test("A database with another encoding is refused")
    func databaseWithAnotherEncodingIsRefused() async throws {
        let server = PostgreSQLServer.shared
        let folder = try await server.folder()
        try await server.administer(
            "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        let pool = PostgreSQLPool(
            try PostgreSQLAddress("postgresql:///latin?host=\(folder)&user=postgres"))
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.withConnection { $0.serverVersion }
        }

        #expect(error?.kind == .refused)
        #expect(error?.message.contains("LATIN1") == true)
    }

    @Test("A wait for a lock ends after its time limit")
    func waitForALockEndsAfterItsTimeLimit() async throws {
        let pool = try await pool(PostgreSQLPoolOptions(lockTimeout: .milliseconds(20)))
        try await pool.withConnection { connection in
            try connection.executeScript(
                "CREATE TABLE people (id int8); INSERT INTO people VALUES (1)")
        }
        let holder = try pool.dedicatedConnection()
        try holder.withConnection { connection in
            try connection.executeScript("BEGIN; DELETE FROM people")
        }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { try $0.execute("DELETE FROM people") }
        }
        holder.close()

        #expect(error?.kind == .lockTimeout)
    }

    private func pool(
        _ options: PostgreSQLPoolOptions = PostgreSQLPoolOptions()
    ) async throws -> PostgreSQLPool {
        PostgreSQLPool(try await PostgreSQLServer.shared.emptyStore(), options: options)
    }
}
