import Dispatch
import Glibc
import Synchronization

package enum TransactionKind: Hashable, Sendable {
    /// A snapshot: `REPEATABLE READ READ ONLY`.
    case read
    /// The same, for statements that may read all of a run.
    case longRead
    /// `READ COMMITTED`
    case write
    /// The same, for statements that may touch all of a run.
    case longWrite
}

package struct PostgreSQLPoolOptions: Sendable {
    /// The most connections, at least 1.
    package var connections: Int
    /// How long a statement waits for a lock.
    package var lockTimeout: Duration
    /// How long the server works on a statement, and a call waits for a connection.
    package var statementLimit = Duration.seconds(60)
    /// The same for work on all of a run, such as an index, a vacuum or a check.
    package var longLimit = Duration.seconds(3_600)
    /// How long after its limit a statement is given up here, and how long a call has once its task
    /// is cancelled.
    package var grace = Duration.seconds(5)
    /// The most that a call has once the server did not answer one after ``PostgreSQLPool/hurry()``.
    package var lastGrace = Duration.seconds(2)
    /// The most calls that wait for a connection.
    package var mostWaiting = 5_000
    /// How old a session must be that refuses to write before it is replaced by a new one.
    package var freshness = Duration.seconds(1)
    /// How long a pooler may take to give a second connection a session.
    package var poolerLimit = Duration.seconds(5)
    /// How long to wait for a host to answer, in whole seconds, at least 2; the address may
    /// override it.
    package var connectTimeout: Duration
    /// How long calls try to reach a server again that was there before, counted from the first
    /// failure.
    ///
    /// So later calls do not wait one after the other for a server that stays away.
    package var reconnectTime: Duration
    /// The session's name in the server's list; the address may override it.
    package var applicationName: String
    package var isReadOnly: Bool
    /// Called on each new connection, for checks of the server.
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

/// A bounded set of connections to one server, each used by one call at a time, on threads of their
/// own.
///
/// Calls wait for a free connection in order. A cancelled task's call is still done if the server
/// does it within ``PostgreSQLPoolOptions/grace``.
package final class PostgreSQLPool: Sendable {
    private struct Job: Sendable {
        let call: Call
        /// When it stops waiting for a connection.
        var end: ContinuousClock.Instant
        /// Does the work, and returns what resumes the caller.
        let run: @Sendable (Lane) -> @Sendable () -> Void
        let refuse: @Sendable (PostgreSQLError) -> Void
    }

    private struct State {
        var isClosed = false
        var hasConnected = false
        /// Since when nobody can connect.
        var unreachableSince: ContinuousClock.Instant?
        var lanes: [Lane] = []
        /// The last used one is reused first.
        var idle: [Lane] = []
        var waiting: [Job] = []
        /// How long a call has, once this process is to end.
        var urgency: Duration?

        var busy: [Lane] { lanes.filter { lane in !idle.contains { $0 === lane } } }
    }

    private enum Place {
        case lane(Lane)
        case queue
        case nowhere(PostgreSQLError)
    }

    /// How often a transaction is repeated after conflicts.
    private static let mostRepetitions = 12
    /// How long the very first call waits for a server that starts.
    private static let firstPatience = Duration.seconds(2)

    /// How long a call has once its task is cancelled.
    package var grace: Duration { options.grace }
    /// The most it has when the server is known not to answer.
    package var lastGrace: Duration { options.lastGrace }

    private let address: PostgreSQLAddress
    private let options: PostgreSQLPoolOptions
    private let state = Mutex(State())
    private let pooler = PoolerCheck()
    private let queueAlarm = Alarm()

    /// Opens nothing yet.
    package init(_ address: PostgreSQLAddress, options: PostgreSQLPoolOptions = .init()) {
        self.address = address
        self.options = options
    }

    /// Runs a transaction, which is durably committed on return, and rolled back when the body
    /// throws.
    ///
    /// The body is repeated a few times when the server asks for it (40001, 40P01), and a reading
    /// one once more after a broken connection. ``PostgreSQLError/isCommitUncertain`` says that the
    /// answer to the commit was lost.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ kind: TransactionKind,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] lane in
            try repeating(kind, on: lane) {
                try lane.withConnection(of: self) { try $0.transaction(kind, body) }
            }
        }
    }

    /// Runs single queries outside a transaction; each sees its own snapshot.
    ///
    /// The server keeps their plans, so they must name no partitioned table, and find their rows by
    /// an index. The body runs once more after a broken connection.
    package func lookUp<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] lane in
            try repeating(.read, on: lane) {
                try lane.withConnection(of: self) { try $0.withKeptPlans(body) }
            }
        }
    }

    /// Uses a connection outside of a transaction, for long work or statements that must be
    /// outside.
    ///
    /// The body runs once. It must undo what it leaves in the session, such as locks or channels;
    /// an open transaction is rolled back.
    @discardableResult
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] lane in
            try lane.withConnection(of: self) { try $0.atLength(body) }
        }
    }

    /// Uses a separate connection like ``withConnection(_:)``, but blocks the thread.
    package func withConnectionNow<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        let lane = Lane()
        defer {
            state.withLock { state in
                // All places may be taken meanwhile; then this connection ends here.
                guard !state.isClosed, state.lanes.count < options.connections else { return }
                state.lanes.append(lane)
                state.idle.append(lane)
            }
        }
        return try lane.withConnection(of: self) { try $0.atLength(body) }
    }

    /// Opens a connection outside of the pool; blocks the thread.
    package func dedicatedConnection(
        by deadline: AnswerDeadline = AnswerDeadline()
    ) throws -> PostgreSQLSession {
        var options = options
        // It locks, listens and unlocks, which takes no time.
        options.statementLimit = min(options.statementLimit, .seconds(10))
        if let urgency { deadline.hurry(within: urgency) }
        return try PostgreSQLSession(address, options: options, pooler: pooler, deadline: deadline)
    }

    /// Ends all connections at once, without waiting; calls under way fail.
    ///
    /// Statements are cancelled; a commit that has begun may happen.
    package func close() {
        let (busy, waiting) = state.withLock { state in
            state.isClosed = true
            let (busy, waiting) = (state.busy, state.waiting)
            state.lanes = []
            state.idle = []
            state.waiting = []
            return (busy, waiting)
        }
        for job in waiting { job.refuse(Self.closed) }
        for lane in busy { lane.breakOff() }
    }

    /// Gives all calls from now on the time of a cancelled task's, since this process is to end.
    package func hurry() {
        let end = ContinuousClock.now + options.grace
        let busy = state.withLock { state in
            state.urgency = state.urgency ?? options.grace
            for index in state.waiting.indices {
                state.waiting[index].end = min(state.waiting[index].end, end)
            }
            return state.busy
        }
        for lane in busy { lane.deadline.hurry(within: options.grace) }
        watchQueue(at: end)
    }

    private var urgency: Duration? { state.withLock(\.urgency) }

    /// Runs work on a connection's thread, as soon as one is free.
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Lane) throws -> Value
    ) async throws -> Value {
        let call = Call(grace: options.grace)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    call: call, end: .now + (urgency ?? options.statementLimit),
                    run: { lane in
                        let result = Result { try work(lane) }
                        return { continuation.resume(with: result) }
                    }, refuse: { continuation.resume(throwing: $0) })
                switch place(job) {
                case .lane(let lane): start(job, on: lane)
                case .queue:
                    watchQueue(at: job.end)
                    // Its cancellation may not have found it.
                    if Task.isCancelled { hurry(call) }
                case .nowhere(let error): job.refuse(error)
                }
            }
        } onCancel: {
            call.cancel()
            hurry(call)
        }
    }

    private func place(_ job: Job) -> Place {
        state.withLock { state in
            if state.isClosed { return .nowhere(Self.closed) }
            if let lane = state.idle.popLast() { return .lane(lane) }
            guard state.lanes.count < options.connections else {
                guard state.waiting.count < options.mostWaiting else {
                    return .nowhere(busy("\(state.waiting.count) calls wait already"))
                }
                state.waiting.append(job)
                return .queue
            }
            let lane = Lane()
            state.lanes.append(lane)
            return .lane(lane)
        }
    }

    private func busy(_ reason: String) -> PostgreSQLError {
        PostgreSQLError(
            .tooManyConnections,
            message: "all \(options.connections) connections are in use, and \(reason)")
    }

    /// Lets a cancelled task's call wait for no longer than its grace.
    private func hurry(_ call: Call) {
        let end = ContinuousClock.now + options.grace
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.call === call }) else { return }
            state.waiting[index].end = min(state.waiting[index].end, end)
        }
        watchQueue(at: end)
    }

    /// Refuses those who will have waited for too long.
    private func watchQueue(at time: ContinuousClock.Instant) {
        queueAlarm.set(for: time) { [weak self] in self?.refuseLate() }
    }

    private func refuseLate() {
        let now = ContinuousClock.now
        let (late, next) = state.withLock { state in
            let late = state.waiting.filter { $0.end <= now }
            state.waiting.removeAll { $0.end <= now }
            return (late, state.waiting.lazy.map(\.end).min())
        }
        for job in late { job.refuse(busy("none has become free in time")) }
        if let next { watchQueue(at: next) }
    }

    private func start(_ job: Job, on lane: Lane) {
        lane.queue.async { [self] in
            job.call.begin(on: lane)
            let limit = urgency
            if let limit { lane.deadline.hurry(within: limit) }
            let tell = job.run(lane)
            if lane.deadline.isGivenUp { noteSilence(for: limit ?? options.grace) }
            job.call.end()
            // The connection is free before the caller, who may want it again, continues.
            let next = free(lane)
            tell()
            if let next { start(next, on: lane) }
        }
    }

    /// Lets later calls wait for half as long at the most as the one that was just given up.
    private func noteSilence(for time: Duration) {
        state.withLock { [options] state in
            state.urgency = state.urgency.map { min($0, time / 2, options.lastGrace) }
        }
    }

    /// Takes a connection back, and returns its next job.
    private func free(_ lane: Lane) -> Job? {
        state.withLock { state in
            if state.isClosed { return nil }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.idle.append(lane)
            return nil
        }
    }

    /// Repeats a transaction until its end is final.
    private func repeating<Value>(
        _ kind: TransactionKind, on lane: Lane, _ attempt: () throws -> Value
    ) throws -> Value {
        var repetitions = 0
        var isReconnected = false
        var hasLookedAgain = false
        while true {
            do {
                return try attempt()
            } catch let error as TransactionNotBegun {
                guard error.cause.isConnectionGone, !isReconnected, !isClosed else {
                    throw error.cause
                }
                isReconnected = true
            } catch let error as PostgreSQLError
                where error.isConnectionGone && !kind.isWrite && !isReconnected && !isClosed
            {
                isReconnected = true
            } catch let error as PostgreSQLError
                where error.kind == .readOnly && kind.isWrite && !options.isReadOnly && !isClosed
            {
                // Another server may take writes meanwhile, or this one's new sessions.
                guard !hasLookedAgain, lane.dropStale() else { throw error }
                hasLookedAgain = true
            } catch let error as PostgreSQLError
                where error.asksForRepetition && repetitions < Self.mostRepetitions && !isClosed
            {
                repetitions += 1
                // Random, so that one of the conflicting transactions comes first.
                pause(.milliseconds(Int.random(in: 0...(2 << min(repetitions, 6)))))
            }
        }
    }

    /// Connects; waits briefly for a server that is starting.
    fileprivate func open(_ deadline: AnswerDeadline) throws -> PostgreSQLConnection {
        var wait = Duration.milliseconds(50)
        while true {
            try expectOpen()
            do {
                let connection = try PostgreSQLConnection.open(address, options, pooler, deadline)
                state.withLock { state in
                    state.hasConnected = true
                    state.unreachableSince = nil
                }
                return connection
            } catch let error as PostgreSQLError
                where !deadline.isGivenUp && isWorthWaiting(error)
            {
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

/// Ends in time once its task is cancelled.
private final class Call: Sendable {
    private struct State {
        var isCancelled = false
        var lane: Lane?
    }

    private let grace: Duration
    private let state = Mutex(State())

    init(grace: Duration) {
        self.grace = grace
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.lane?.deadline.hurry(within: grace)
        }
    }

    func begin(on lane: Lane) {
        state.withLock { state in
            state.lane = lane
            if state.isCancelled { lane.deadline.hurry(within: grace) }
        }
    }

    func end() {
        state.withLock { state in
            state.lane?.deadline.relax()
            state.lane = nil
        }
    }
}

/// One place for a connection in a pool, with its thread.
private final class Lane: Sendable {
    let deadline = AnswerDeadline()
    // Only serial queues get more threads than there are cores.
    let queue = DispatchQueue(label: "hubsend.postgresql")
    private let held = Mutex<PostgreSQLConnection?>(nil)
    /// Separate from the connection, which is locked during use.
    private let breaker = Mutex<LineBreaker?>(nil)

    /// Uses the connection, or opens a new one if it does not work.
    func withConnection<Value: Sendable>(
        of pool: PostgreSQLPool, _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        try held.withLock { held in
            if held?.isUsable == false { held = nil }
            if held == nil {
                let opened = try pool.open(deadline)
                let breaker = opened.breaker
                self.breaker.withLock { $0 = breaker }
                held = opened
                // A later close finds the breaker; an earlier one is noticed now.
                try pool.expectOpen()
            }
            guard let connection = held else {
                throw PostgreSQLError(.lost, message: "There is no connection.")
            }
            defer { if !connection.isIdle { held = nil } }
            return try body(connection)
        }
    }

    /// Ends the connection unless it is new; false: it is.
    func dropStale() -> Bool {
        held.withLock { held in
            guard held?.isStale != false else { return false }
            held = nil
            return true
        }
    }

    func breakOff() {
        breaker.withLock(\.self)?.end()
    }
}
