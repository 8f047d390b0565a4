import Dispatch
import PostgreSQLClient
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct PoolTests {
    private let pool: PostgreSQLPool

    init() async throws {
        pool = PostgreSQLPool(
            try await PostgreSQLServer.shared.emptyStore(),
            options: PostgreSQLPoolOptions(connections: 2))
        try await pool.withConnection { connection in
            try connection.executeScript(
                "CREATE TABLE people (id int8 PRIMARY KEY, age int8 NOT NULL)")
        }
    }

    @Test("If the body of a transaction throws, the transaction is rolled back")
    func ifTheBodyOfATransactionThrowsTheTransactionIsRolledBack() async throws {
        struct Refusal: Error {}

        await #expect(throws: Refusal.self) {
            try await pool.transaction(.write) { connection in
                try connection.execute("INSERT INTO people VALUES (1, 1)")
                throw Refusal()
            }
        }
        #expect(try await count() == 0)
    }

    @Test("A failed transaction is not reported as committed")
    func failedTransactionIsNotReportedAsCommitted() async throws {
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                try connection.execute("INSERT INTO people VALUES (1, 1)")
                #expect(throws: PostgreSQLError.self) {
                    try connection.execute("INSERT INTO people VALUES (1, 2)")
                }
            }
        }

        #expect(error?.kind == .uniqueViolation)
        #expect(try await count() == 0)
    }

    @Test("A transaction is retried if the server asks for it")
    func transactionIsRetriedIfTheServerAsksForIt() async throws {
        let runs = Mutex(0)
        try await pool.transaction(.write) { connection in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            try connection.execute("INSERT INTO people VALUES ($1, 1)", [run])
            if run < 3 {
                try connection.executeScript("DO 'BEGIN RAISE SQLSTATE ''40001''; END'")
            }
        }

        #expect(runs.withLock(\.self) == 3)
        #expect(try await count() == 1)
    }

    @Test("A transaction is not retried indefinitely")
    func transactionIsNotRetriedIndefinitely() async throws {
        let runs = Mutex(0)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                runs.withLock { $0 += 1 }
                try connection.executeScript("DO 'BEGIN RAISE SQLSTATE ''40P01''; END'")
            }
        }

        #expect(error?.kind == .serialization)
        #expect(runs.withLock(\.self) == 13)
    }

    @Test("A connection that a blocking call used is reused")
    func connectionThatABlockingCallUsedIsReused() async throws {
        let pool = PostgreSQLPool(try await PostgreSQLServer.shared.emptyStore())
        defer { pool.close() }
        let question: @Sendable (PostgreSQLConnection) throws -> Int? = { connection in
            try connection.row("SELECT pg_backend_pid()")?.int(0)
        }

        let first = try #require(try pool.withConnectionNow(question))

        #expect(try await pool.withConnection(question) == first)
    }

    @Test("A connection closed by the server is replaced")
    func connectionClosedByTheServerIsReplaced() async throws {
        let process = try await pool.withConnection { connection in
            try connection.row("SELECT pg_backend_pid()")?.int(0)
        }
        try await end(try #require(process))

        try await pool.transaction(.write) { connection in
            try connection.execute("INSERT INTO people VALUES (1, 1)")
        }
        #expect(try await count() == 1)
    }

    @Test("Only the first call waits for a server that remains unreachable")
    func onlyTheFirstCallWaitsForAServerThatRemainsUnreachable() async throws {
        let server = PostgreSQLServer.shared
        try await server.administer("CREATE ROLE turned_away LOGIN")
        let pool = PostgreSQLPool(
            try PostgreSQLAddress(
                "postgresql:///postgres?host=\(try await server.folder())&user=turned_away"),
            options: PostgreSQLPoolOptions(connections: 1, reconnectTime: .milliseconds(700)))
        let connect = { try await pool.withConnection { $0.serverVersion } }
        _ = try await connect()
        try await server.administer(
            """
            ALTER ROLE turned_away CONNECTION LIMIT 0;
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE usename = 'turned_away';
            """)
        let clock = ContinuousClock()
        let times = await [
            clock.measure { _ = try? await connect() }, clock.measure { _ = try? await connect() },
        ]
        #expect(times[0] >= .milliseconds(600))
        #expect(times[1] < .milliseconds(600))
        let error = await #expect(throws: PostgreSQLError.self) { try await connect() }
        #expect(error?.kind == .tooManyConnections)

        try await server.administer("ALTER ROLE turned_away CONNECTION LIMIT -1")
        #expect(try await connect() > 0)
    }

    @Test("A connection lost during a transaction rolls it back")
    func connectionLostDuringATransactionRollsItBack() async throws {
        let runs = Mutex(0)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                runs.withLock { $0 += 1 }
                try connection.execute("INSERT INTO people VALUES (1, 1)")
                try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            }
        }

        #expect([.lost, .shuttingDown].contains(error?.kind))
        #expect(error?.isCommitUncertain == false)
        #expect(runs.withLock(\.self) == 1)
        #expect(try await count() == 0)
    }

    @Test("A read transaction is repeated on a new connection")
    func readTransactionIsRepeatedOnANewConnection() async throws {
        let runs = Mutex(0)
        let count = try await pool.transaction(.read) { connection in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 { try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
            return try connection.rows("SELECT * FROM people").count
        }

        #expect(count == 0)
        #expect(runs.withLock(\.self) == 2)
    }

    @Test("A commit whose response was lost is reported as uncertain")
    func commitWhoseResponseWasLostIsReportedAsUncertain() async throws {
        try await pool.withConnection { connection in
            try connection.executeScript(
                """
                CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON people DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION leave();
                """)
        }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                try connection.execute("INSERT INTO people VALUES (1, 1)")
            }
        }

        #expect(error?.kind == .lost)
        #expect(error?.isCommitUncertain == true)
    }

    @Test("A statement is prepared again when its table changes")
    func statementIsPreparedAgainWhenItsTableChanges() async throws {
        let read: @Sendable (PostgreSQLConnection) throws -> Int? = { connection in
            try connection.row("SELECT * FROM people")?.count
        }
        try await pool.transaction(.write) { connection in
            try connection.execute("INSERT INTO people VALUES (1, 1)")
            #expect(try read(connection) == 2)
        }
        let changer = try pool.dedicatedConnection()
        try changer.withConnection { try $0.executeScript("ALTER TABLE people ADD name text") }
        changer.close()

        #expect(try await pool.transaction(.read, read) == 3)
        #expect(try await pool.withConnection(read) == 3)
    }

    @Test("Generic plans are kept only for statements outside transactions")
    func genericPlansAreKeptOnlyForStatementsOutsideTransactions() async throws {
        let settings: @Sendable (PostgreSQLConnection) throws -> [String?] = { connection in
            let row = try connection.row(
                "SELECT current_setting('plan_cache_mode'), current_setting('enable_seqscan')")
            return try [row?.text(0), row?.text(1)]
        }
        let usual = ["force_custom_plan", "on"]
        for _ in 0..<2 {
            #expect(try await pool.lookUp(settings) == ["force_generic_plan", "off"])
            #expect(try await pool.transaction(.write, settings) == usual)
            _ = try await pool.lookUp(settings)
            #expect(try await pool.withConnection(settings) == usual)
        }
    }

    @Test("A lookup is repeated on a new connection")
    func lookupIsRepeatedOnANewConnection() async throws {
        let runs = Mutex(0)
        let process = try await pool.lookUp { connection in
            let process = try connection.row("SELECT pg_backend_pid()")?.int(0)
            if runs.withLock({ runs in
                runs += 1
                return runs == 1
            }) {
                _ = try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            }
            return process
        }
        #expect(process != nil)
        #expect(runs.withLock(\.self) == 2)
    }

    @Test("A cancelled task finishes its transaction")
    func cancelledTaskFinishesItsTransaction() async throws {
        let hasBegun = Milestone()
        let gate = try pool.dedicatedConnection()
        try gate.withConnection { try $0.execute("SELECT pg_advisory_lock(20)") }
        let task = Task { [pool] in
            try await pool.transaction(.write) { connection in
                hasBegun.reach()
                try connection.execute("SELECT pg_advisory_xact_lock(20)")
                try connection.execute("INSERT INTO people VALUES (1, 1)")
            }
        }
        await hasBegun.wait()
        task.cancel()
        gate.close()

        try await task.value
        #expect(try await count() == 1)
    }

    @Test("The number of open connections stays within the limit")
    func numberOfOpenConnectionsStaysWithinTheLimit() async throws {
        let processes = try await withThrowingTaskGroup(of: Int?.self) { tasks in
            for _ in 0..<40 {
                tasks.addTask { [pool] in
                    try await pool.transaction(.read) { connection in
                        try connection.row("SELECT pg_backend_pid()")?.int(0)
                    }
                }
            }
            return try await tasks.reduce(into: Set<Int?>()) { $0.insert($1) }
        }

        #expect(1...2 ~= processes.count)
    }

    @Test("An open transaction does not leak into the next call")
    func openTransactionDoesNotLeakIntoTheNextCall() async throws {
        try await pool.withConnection { connection in
            try connection.executeScript("BEGIN; INSERT INTO people VALUES (1, 1)")
        }

        #expect(try await count() == 0)
    }

    @Test("Closing the pool ends running and waiting calls")
    func closingThePoolEndsRunningAndWaitingCalls() async throws {
        let number = 4_711
        let gate = try pool.dedicatedConnection()
        try gate.withConnection { try $0.execute("SELECT pg_advisory_lock($1)", [number]) }
        let begun = [Milestone(), Milestone()]
        let calls = begun.map { begun in
            Task { [pool] in
                try await pool.withConnection { connection in
                    begun.reach()
                    return try connection.execute("SELECT pg_advisory_lock($1)", [number])
                }
            }
        }
        for begun in begun { await begun.wait() }
        let waiting = Task { [pool] in try await pool.withConnection { $0.serverVersion } }
        pool.close()

        for call in calls + [waiting] {
            let error = await #expect(throws: PostgreSQLError.self) { try await call.value }
            #expect(error?.kind == .lost)
        }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.withConnection { $0.serverVersion }
        }
        #expect(error?.kind == .lost)
        gate.close()
    }

    @Test("Session settings override those of the role and database")
    func sessionSettingsOverrideThoseOfTheRoleAndDatabase() async throws {
        let server = PostgreSQLServer.shared
        let loose = ["off", "local", "remote_write"].map { ["synchronous_commit = \($0)"] }
        let presets = [
            "statement_timeout = 2000", "lock_timeout = 1000", "idle_session_timeout = 1000",
            "idle_in_transaction_session_timeout = 1000", "DateStyle = 'SQL, DMY'",
            "IntervalStyle = sql_standard", "bytea_output = escape", "extra_float_digits = 0",
            "TimeZone = 'Asia/Tokyo'", "standard_conforming_strings = off",
            "default_transaction_isolation = serializable",
            "default_transaction_deferrable = on", "row_security = on",
            "transform_null_equals = on", "plan_cache_mode = force_generic_plan",
        ]
        for presets in [[], presets] + loose {
            let role = try await server.roleWithStore()
            for preset in presets { try await server.change(role, "SET \(preset)") }
            var options = PostgreSQLPoolOptions(
                lockTimeout: .milliseconds(1_500), applicationName: "hubsend test")
            options.statementLimit = .seconds(50)
            let pool = PostgreSQLPool(try await server.address(as: role), options: options)
            defer { pool.close() }
            let settings = try await pool.transaction(.write) { connection in
                try connection.rows(
                    "SELECT name || '=' || current_setting(name) FROM unnest($1) AS name",
                    [
                        [
                            "statement_timeout", "lock_timeout", "idle_session_timeout",
                            "idle_in_transaction_session_timeout", "DateStyle", "IntervalStyle",
                            "bytea_output", "extra_float_digits", "TimeZone",
                            "standard_conforming_strings", "default_transaction_isolation",
                            "default_transaction_deferrable", "row_security",
                            "transform_null_equals", "plan_cache_mode", "synchronous_commit",
                            "client_encoding", "application_name",
                        ]
                    ]
                ).map { try $0.text(0) }
            }
            #expect(
                settings == [
                    "statement_timeout=50s", "lock_timeout=1500ms", "idle_session_timeout=0",
                    "idle_in_transaction_session_timeout=20s", "DateStyle=ISO, MDY",
                    "IntervalStyle=postgres", "bytea_output=hex", "extra_float_digits=1",
                    "TimeZone=UTC", "standard_conforming_strings=on",
                    "default_transaction_isolation=read committed",
                    "default_transaction_deferrable=off", "row_security=off",
                    "transform_null_equals=off", "plan_cache_mode=force_custom_plan",
                    "synchronous_commit=on", "client_encoding=UTF8",
                    "application_name=hubsend test",
                ])
        }
    }

    @Test("A listener receives notifications") func listenerReceivesNotifications() async throws {
        let listener = try pool.dedicatedConnection()
        defer { listener.close() }
        try listener.withConnection { connection in
            try connection.execute("LISTEN wake")
            #expect(try connection.notifications(within: .zero) == [])
        }
        try await pool.transaction(.write) { connection in
            try connection.execute("NOTIFY wake")
            try connection.execute("NOTIFY elsewhere")
        }

        let heard = try listener.withConnection { try $0.notifications(within: .seconds(60)) }
        #expect(heard == ["wake"])
    }

    @Test("Closing a session ends its wait") func closingASessionEndsItsWait() async throws {
        let listener = try pool.dedicatedConnection()
        let hasBegun = Milestone()
        let (ends, end) = AsyncStream.makeStream(of: Result<[String], any Error>.self)
        DispatchQueue(label: "listener").async {
            end.yield(
                Result {
                    try listener.withConnection { connection in
                        hasBegun.reach()
                        return try connection.notifications(within: .seconds(200))
                    }
                })
            end.finish()
        }
        await hasBegun.wait()
        listener.close()

        var results = ends.makeAsyncIterator()
        let result = await results.next()
        #expect(throws: PostgreSQLError.self) { try result?.get() }
    }

    private func count() async throws -> Int {
        try await pool.transaction(.read) { try $0.rows("SELECT * FROM people").count }
    }

    /// Makes the server close a connection and waits until it has.
    private func end(_ process: Int) async throws {
        let other = try pool.dedicatedConnection()
        defer { other.close() }
        let isEnded = try other.withConnection { connection in
            try connection.row("SELECT pg_terminate_backend($1::int4, 60000)", [process])?.bool(0)
        }
        #expect(isEnded == true)
    }
}
