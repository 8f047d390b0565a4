import Dispatch
import Glibc
import Synchronization

/// What a transaction is for.
package enum TransactionKind: Hashable, Sendable {
    /// Reads one snapshot: `REPEATABLE READ READ ONLY`.
    case read
    /// Writes: `READ COMMITTED`.
    case write
}

/// How a pool connects, and what its sessions keep to.
package struct PostgreSQLPoolOptions: Sendable {
    /// The most connections at a time, at least 1.
    package var connections: Int
    /// How long a statement waits for a lock.
    package var lockTimeout: Duration
    /// How long to wait for a host to answer, in whole seconds, at least 2; the address may say otherwise.
    package var connectTimeout: Duration
    /// How long calls try to reach a server again that was there before, as one that starts anew; from the time that the first of them
    /// found it gone, so that those who come later do not wait one behind the other for a server that stays away.
    package var reconnectTime: Duration
    /// The name under which the server lists the session; the address may say otherwise.
    package var applicationName: String
    /// Whether sessions take no writes.
    package var isReadOnly: Bool
    /// Called on each new connection, as to check the server.
    package var prepare: @Sendable (PostgreSQLConnection) throws -> Void

    package init(
        connections: Int = 4, lockTimeout: Duration = .seconds(5),
        connectTimeout: Duration = .seconds(10), reconnectTime: Duration = .seconds(10),
        applicationName: String = "hubsend", isReadOnly: Bool = false,
        prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) {
        self.connections = max(1, connections)
        self.lockTimeout = lockTimeout
        self.connectTimeout = connectTimeout
        self.reconnectTime = reconnectTime
        self.applicationName = applicationName
        self.isReadOnly = isReadOnly
        self.prepare = prepare
    }
}

/// A bounded set of connections to one server, each used by one call at a time, on threads of their own.
///
/// Calls that find no free connection wait in the order in which they came. Nothing here looks at whether a task is cancelled:
/// what was asked for is done.
package final class PostgreSQLPool: Sendable {
    private struct Job: Sendable {
        /// Does the work, and returns what tells the caller.
        let run: @Sendable (Lane) -> @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct State {
        var isClosed = false
        var hasConnected = false
        /// Since when nobody can connect, as far as anybody tried.
        var unreachableSince: ContinuousClock.Instant?
        /// All that were made; each is busy or idle.
        var lanes: [Lane] = []
        /// The one that was used last is the first to be used again.
        var idle: [Lane] = []
        var waiting: [Job] = []
    }

    private enum Place {
        case lane(Lane)
        case queue
        case nowhere
    }

    /// How often a transaction is repeated when others were in its way.
    private static let mostRepetitions = 12
    /// How long a server that starts is waited for by the very first call.
    private static let firstPatience = Duration.seconds(2)

    private let address: PostgreSQLAddress
    private let options: PostgreSQLPoolOptions
    private let state = Mutex(State())

    /// Opens nothing yet.
    package init(_ address: PostgreSQLAddress, options: PostgreSQLPoolOptions = .init()) {
        self.address = address
        self.options = options
    }

    /// Runs a transaction, which is committed durably when this returns, and rolled back when the body throws.
    ///
    /// - Parameters:
    ///   - kind: what it is for.
    ///   - body: runs again, some times at most, when the server asks for that (40001, 40P01), and, in a transaction that
    ///     reads, once more when the connection broke.
    /// - Throws: ``PostgreSQLError``, with ``PostgreSQLError/isCommitUncertain`` when the answer to the commit was lost; what
    ///   `body` throws.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ kind: TransactionKind,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] lane in
            try repeating(kind) {
                try lane.withConnection(of: self) { try $0.transaction(kind, body) }
            }
        }
    }

    /// Uses a connection outside of a transaction, for what takes long or must be outside.
    ///
    /// - Parameter body: runs once. What it leaves behind in the session, as locks or channels that it listens to, it has to
    ///   take back; a transaction that it leaves open is rolled back.
    /// - Throws: ``PostgreSQLError``; what `body` throws.
    @discardableResult
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] lane in try lane.withConnection(of: self, body) }
    }

    /// Uses a connection of the pool's own, as ``withConnection(_:)`` does, and blocks the thread: for who cannot wait otherwise.
    ///
    /// - Throws: ``PostgreSQLError``; what `body` throws.
    package func withConnectionNow<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        let lane = Lane()
        defer {
            state.withLock { state in
                // Others may have taken all the places meanwhile; then this one ends here.
                guard !state.isClosed, state.lanes.count < options.connections else { return }
                state.lanes.append(lane)
                state.idle.append(lane)
            }
        }
        return try lane.withConnection(of: self, body)
    }

    /// Opens a connection that is not one of the pool's; blocks the thread.
    ///
    /// - Throws: ``PostgreSQLError``; what `prepare` of the options throws.
    package func dedicatedConnection() throws -> PostgreSQLSession {
        try PostgreSQLSession(address, options: options)
    }

    /// Ends all connections at once; calls that are under way or wait fail.
    ///
    /// Waits for nobody. What the server is doing for a call is cancelled; a commit that it is about to do may happen.
    package func close() {
        let (busy, waiting) = state.withLock { state in
            state.isClosed = true
            let busy = state.lanes.filter { lane in !state.idle.contains { $0 === lane } }
            let waiting = state.waiting
            state.lanes = []
            state.idle = []
            state.waiting = []
            return (busy, waiting)
        }
        for job in waiting { job.refuse() }
        for lane in busy { lane.breakOff() }
    }

    /// Does work on a connection's thread, as soon as one is free.
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Lane) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { lane in
                    let result = Result { try work(lane) }
                    return { continuation.resume(with: result) }
                }, refuse: { continuation.resume(throwing: Self.closed) })
            switch place(job) {
            case .lane(let lane): start(job, on: lane)
            case .queue: break
            case .nowhere: job.refuse()
            }
        }
    }

    private func place(_ job: Job) -> Place {
        state.withLock { state in
            if state.isClosed { return .nowhere }
            if let lane = state.idle.popLast() { return .lane(lane) }
            guard state.lanes.count < options.connections else {
                state.waiting.append(job)
                return .queue
            }
            let lane = Lane()
            state.lanes.append(lane)
            return .lane(lane)
        }
    }

    private func start(_ job: Job, on lane: Lane) {
        lane.queue.async { [self] in
            let tell = job.run(lane)
            // First the connection is free, then the caller goes on, who may well want it again.
            let next = free(lane)
            tell()
            if let next { start(next, on: lane) }
        }
    }

    /// Takes a connection back; the job that is next for it.
    private func free(_ lane: Lane) -> Job? {
        state.withLock { state in
            if state.isClosed { return nil }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.idle.append(lane)
            return nil
        }
    }

    /// Runs a transaction until it has an end that counts.
    private func repeating<Value>(
        _ kind: TransactionKind, _ attempt: () throws -> Value
    ) throws -> Value {
        var repetitions = 0
        var isReconnected = false
        while true {
            do {
                return try attempt()
            } catch let error as TransactionNotBegun {
                guard error.cause.isConnectionGone, !isReconnected, !isClosed else {
                    throw error.cause
                }
                isReconnected = true
            } catch let error as PostgreSQLError
                where error.isConnectionGone && kind == .read && !isReconnected && !isClosed
            {
                isReconnected = true
            } catch let error as PostgreSQLError
                where error.asksForRepetition && repetitions < Self.mostRepetitions && !isClosed
            {
                repetitions += 1
                // Of those who are in each other's way, one has to come first.
                pause(.milliseconds(Int.random(in: 0...(2 << min(repetitions, 6)))))
            }
        }
    }

    /// Connects; waits, not for long, for a server that is about to be there.
    fileprivate func open() throws -> PostgreSQLConnection {
        var wait = Duration.milliseconds(50)
        while true {
            try expectOpen()
            do {
                let connection = try PostgreSQLConnection.open(address, options)
                state.withLock { state in
                    state.hasConnected = true
                    state.unreachableSince = nil
                }
                return connection
            } catch let error as PostgreSQLError where isWorthWaiting(error) {
                pause(wait)
                wait = min(wait * 2, .seconds(1))
            }
        }
    }

    private func isWorthWaiting(_ error: PostgreSQLError) -> Bool {
        let hasConnected = state.withLock(\.hasConnected)
        let isPassing =
            switch error.kind {
            case .shuttingDown, .tooManyConnections: true
            case .unreachable, .lost, .readOnly: hasConnected
            default: false
            }
        guard isPassing else { return false }
        let now = ContinuousClock.now
        let start = state.withLock { state in
            let start = state.unreachableSince ?? now
            state.unreachableSince = start
            return start
        }
        return now - start < (hasConnected ? options.reconnectTime : Self.firstPatience)
    }

    fileprivate func expectOpen() throws {
        if isClosed { throw Self.closed }
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    private static var closed: PostgreSQLError {
        PostgreSQLError(.lost, message: "The connections to the server were closed.")
    }

    private func pause(_ time: Duration) {
        usleep(UInt32(time / .microseconds(1)))
    }
}

/// The place of one connection in a pool, with the thread on which it is used.
private final class Lane: Sendable {
    // Only serial queues get more threads than there are cores.
    let queue = DispatchQueue(label: "hubsend.postgresql")
    private let held = Mutex<PostgreSQLConnection?>(nil)
    /// Apart from the connection, which is locked as long as it is used.
    private let breaker = Mutex<LineBreaker?>(nil)

    /// Uses the connection; opens it when there is none that works.
    func withConnection<Value: Sendable>(
        of pool: PostgreSQLPool, _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        try held.withLock { held in
            if held?.isUsable == false { held = nil }
            if held == nil {
                let opened = try pool.open()
                let breaker = opened.breaker
                self.breaker.withLock { $0 = breaker }
                held = opened
                // Who closes the pool from here on finds the breaker; who did so before is heard now.
                try pool.expectOpen()
            }
            guard let connection = held else {
                throw PostgreSQLError(.lost, message: "There is no connection.")
            }
            defer { if !connection.isIdle { held = nil } }
            return try body(connection)
        }
    }

    /// Ends what is under way: the connection at once, and the work at the server as soon as it hears of it.
    func breakOff() {
        guard let breaker = breaker.withLock(\.self) else { return }
        breaker.breakOff()
        // The server may be one that does not answer.
        DispatchQueue(label: "hubsend.postgresql.cancel").async { breaker.cancel() }
    }
}
