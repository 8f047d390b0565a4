import Glibc
import PostgreSQLClient
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

/// Tests that every call ends, whatever the server does.
@Suite(.bounded, .postgreSQL) struct LimitTests {
    /// Suspends server processes as long as this object exists.
    private final class Stopped: Sendable {
        private let processes = Mutex<[Int32]>([])

        func add(_ process: Int32) {
            processes.withLock { $0.append(process) }
            kill(process, SIGSTOP)
        }

        deinit {
            for process in processes.withLock(\.self) { kill(process, SIGCONT) }
        }
    }

    private static let long = Duration.seconds(3_600)

    private let stopped = Stopped()

    /// A pool with one connection.
    private func pool(
        limit: Duration = long, grace: Duration = .milliseconds(100), waiting: Int = 1_000
    ) async throws -> PostgreSQLPool {
        var options = PostgreSQLPoolOptions(connections: 1)
        options.statementLimit = limit
        options.longLimit = limit
        options.grace = grace
        options.mostWaiting = waiting
        return PostgreSQLPool(try await PostgreSQLServer.shared.emptyStore(), options: options)
    }

    /// Begins a call and suspends its server process.
    private func stuckCall(of pool: PostgreSQLPool) async throws -> Task<Int32, any Error> {
        let hasBegun = Milestone()
        let call = Task { [stopped] in
            try await pool.withConnection { connection in
                stopped.add(try connection.sessionProcess())
                hasBegun.reach()
                return try connection.sessionProcess()
            }
        }
        await hasBegun.wait()
        return call
    }

    @Test("A hanging session is abandoned, and a new one does the work")
    func hangingSessionIsAbandonedAndANewOneDoesTheWork() async throws {
        let pool = try await pool(limit: .milliseconds(200))
        defer { pool.close() }
        let call = try await stuckCall(of: pool)
        let error = await #expect(throws: PostgreSQLError.self) { try await call.value }
        #expect(error?.kind == .lost)
        #expect(error?.message == "The server did not answer in time.")
        let next = try await pool.transaction(.write) { try $0.sessionProcess() }
        #expect(next > 0)
    }

    @Test("The server cancels a statement that takes too long")
    func serverCancelsAStatementThatTakesTooLong() async throws {
        let pool = try await pool(limit: .milliseconds(200), grace: .seconds(60))
        defer { pool.close() }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.read) { try $0.execute("SELECT pg_sleep(600)") }
        }
        #expect(error?.kind == .interrupted)
        #expect(error?.sqlState == "57014")
    }

    @Test("A cancelled call ends although the server hangs", arguments: [true, false])
    func cancelledCallEndsAlthoughTheServerHangs(isTask: Bool) async throws {
        let pool = try await pool()
        defer { pool.close() }
        let call = try await stuckCall(of: pool)
        if isTask { call.cancel() } else { pool.hurry() }
        let error = await #expect(throws: PostgreSQLError.self) { try await call.value }
        #expect(error?.kind == .lost)
        guard isTask else { return }
        let next = try await pool.withConnection { try $0.sessionProcess() }
        #expect(next > 0)
    }

    @Test("A call that is waiting for a connection ends when it is cancelled")
    func callThatIsWaitingForAConnectionEndsWhenItIsCancelled() async throws {
        let pool = try await pool()
        let call = try await stuckCall(of: pool)
        let waiting = Task { try await pool.withConnection { $0.serverVersion } }
        waiting.cancel()
        let error = await #expect(throws: PostgreSQLError.self) { try await waiting.value }
        #expect(error?.kind == .tooManyConnections)
        pool.close()
        await #expect(throws: PostgreSQLError.self) { try await call.value }
    }

    @Test(
        "The queue for connections is bounded",
        arguments: [(1, "1 calls are already waiting"), (1_000, "none became free in time")])
    func queueForConnectionsIsBounded(most: Int, words: String) async throws {
        let pool = try await pool(
            limit: most == 1 ? Self.long : .milliseconds(200), grace: Self.long, waiting: most)
        let call = try await stuckCall(of: pool)
        try await withThrowingTaskGroup(of: PostgreSQLError?.self) { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    await #expect(throws: PostgreSQLError.self) {
                        try await pool.withConnection { $0.serverVersion }
                    }
                }
            }
            let error = try await tasks.next() ?? nil
            #expect(error?.kind == .tooManyConnections)
            #expect(error?.message.contains(words) == true, "\(error as Any)")
            pool.close()
        }
        await #expect(throws: PostgreSQLError.self) { try await call.value }
    }

    @Test("A host that does not answer is skipped")
    func hostThatDoesNotAnswerIsSkipped() async throws {
        let folder = try await PostgreSQLServer.shared.folder()
        let silent = try SilentHost()
        for (hosts, isReached) in [
            ("host=127.0.0.1,\(folder)&port=\(silent.port),5432", true),
            ("host=127.0.0.1&port=\(silent.port)", false),
        ] {
            let pool = PostgreSQLPool(
                try PostgreSQLAddress(
                    "postgresql:///postgres?user=postgres&connect_timeout=2&\(hosts)"))
            defer { pool.close() }
            let connect = { try await pool.withConnection { $0.serverVersion } }
            if isReached {
                #expect(try await connect() > 0)
            } else {
                let error = await #expect(throws: PostgreSQLError.self) { try await connect() }
                #expect(error?.kind == .unreachable)
                #expect(error?.message.contains("timeout expired") == true)
            }
        }
    }

    @Test("A refused login is not retried") func refusedLoginIsNotRetried() async throws {
        let server = PostgreSQLServer.secured
        try await server.administer("CREATE ROLE locked_out LOGIN PASSWORD 'right'")
        let folder = try await server.folder()
        let pool = PostgreSQLPool(
            try PostgreSQLAddress(
                "postgresql://locked_out:wrong@/postgres?host=\(folder)&port=\(RemoteStore.port)"))
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.withConnection { $0.serverVersion }
        }
        #expect(error?.kind == .refused)
        #expect(error?.sqlState == "28P01")
        let log = try server.log(in: folder)
        let refusals = log.split(separator: "\n").filter {
            $0.contains("password authentication failed for user \"locked_out\"")
        }
        #expect(refusals.count == 1)
    }

    @Test("Read-only sessions are replaced once the server accepts writes")
    func readOnlySessionsAreReplacedOnceTheServerAcceptsWrites() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let pool = PostgreSQLPool(try await server.address(as: role), options: .withoutRest)
        defer { pool.close() }
        let write: @Sendable (PostgreSQLConnection) throws -> Void = {
            try $0.executeScript("CREATE TABLE IF NOT EXISTS a ()")
        }
        try await pool.transaction(.write, write)
        try await server.change(role, "SET default_transaction_read_only = on")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write, write)
        }
        #expect(error?.kind == .readOnly)
        // No session is closed, and open sessions would stay read-only.
        try await server.administer("ALTER ROLE \(role) RESET default_transaction_read_only")
        try await pool.transaction(.write, write)
    }
}

/// Accepts connections but never answers.
private final class SilentHost {
    private let socket: Int32
    let port: UInt16

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, size) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, pointer, &size) == 0
            }
        }
        try #require(isOpen)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(socket)
    }
}
