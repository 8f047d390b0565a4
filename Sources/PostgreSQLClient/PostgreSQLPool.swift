import Dispatch
import Glibc
import Synchronization

package enum TransactionKind: Hashable, Sendable {
    /// A snapshot: `REPEATABLE READ READ ONLY`.
    case read
    /// A snapshot for statements that may read a whole run.
    case longRead
    /// `READ COMMITTED`
    case write
    /// `READ COMMITTED`, for statements that may change a whole run.
    case longWrite
}

package struct PostgreSQLPoolOptions: Sendable {
    /// The maximum number of connections, at least 1.
    package var connections: Int
    /// How long a statement waits for a lock.
    package var lockTimeout: Duration
    /// How long the server may work on a statement, and how long a call may wait for a connection.
    package var statementLimit = Duration.seconds(60)
    /// How long the server may work on a statement for a whole run, such as an index, a vacuum or a
    /// check.
    package var longLimit = Duration.seconds(3_600)
    /// How long after its time limit a statement is aborted, and how long a call may continue once
    /// its task is cancelled.
    package var grace = Duration.seconds(5)
    /// The time limit of calls once the server has failed to answer a call after
    /// ``PostgreSQLPool/hurry()``.
    package var lastGrace = Duration.seconds(2)
    /// The maximum number of calls that wait for a connection.
    package var mostWaiting = 5_000
    /// How old a read-only session must be before a new one replaces it.
    package var freshness = Duration.seconds(1)
    /// How long a pooler may take to give a session to a second connection.
    package var poolerLimit = Duration.seconds(5)
    /// How long to wait for a host to answer, in whole seconds, at least 2; the address may
    /// override it.
    package var connectTimeout: Duration
    /// How long calls keep trying to reach a lost server, counted from the first failure.
    ///
    /// This way, later calls do not each wait for a server that remains unavailable.
    package var reconnectTime: Duration
    /// The session's name in the server's list; the address may override it.
    package var applicationName: String
    package var isReadOnly: Bool
    /// Called with each new connection, for example to check the server.
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

/// A bounded set of connections to one server, each with its own thread and used by one call at a
/// time.
///
/// Calls wait for a free connection in order of arrival. The call of a cancelled task still
/// completes if the server answers within ``PostgreSQLPoolOptions/grace``.
package final class PostgreSQLPool: Sendable {
    private struct Job: Sendable {
        let call: Call
        /// When the job stops waiting for a connection.
        var end: ContinuousClock.Instant
        /// Does the work and returns a closure that resumes the caller.
        let run: @Sendable (Slot) -> @Sendable () -> Void
        let refuse: @Sendable (PostgreSQLError) -> Void
    }

    private struct State {
        var isClosed = false
        var hasConnected = false
        /// When connecting began to fail.
        var unreachableSince: ContinuousClock.Instant?
        var slots: [Slot] = []
        /// The most recently used connection is reused first.
        var idle: [Slot] = []
        var waiting: [Job] = []
        /// The time limit of calls once this process is about to end.
        var urgency: Duration?

        var busy: [Slot] { slots.filter { slot in !idle.contains { $0 === slot } } }
    }

    private enum Assignment {
        case slot(Slot)
        case queue
        case nowhere(PostgreSQLError)
    }

    /// How many times a transaction is retried after conflicts.
    private static let mostRepetitions = 12
    /// How long the very first call waits for a server that is starting.
    private static let startupTimeout = Duration.seconds(2)

    /// How long a call may continue once its task is cancelled.
    package var grace: Duration { options.grace }
    /// The time limit of calls when the server is known not to answer.
    package var lastGrace: Duration { options.lastGrace }

    private let address: PostgreSQLAddress
    private let options: PostgreSQLPoolOptions
    private let state = Mutex(State())
    private let pooler = PoolerCheck()
    private let queueAlarm = Alarm()

    /// Creates a pool without opening a connection.
    package init(_ address: PostgreSQLAddress, options: PostgreSQLPoolOptions = .init()) {
        self.address = address
        self.options = options
    }

    /// Runs a transaction, which is durably committed on return, or rolled back if the body throws.
    ///
    /// The body is repeated a few times if the server requests that (40001, 40P01); a read
    /// transaction is also repeated once after a broken connection.
    /// ``PostgreSQLError/isCommitUncertain`` reports that the answer to the commit was lost.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ kind: TransactionKind,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] slot in
            try repeating(kind, on: slot) {
                try slot.withConnection(of: self) { try $0.transaction(kind, body) }
            }
        }
    }

    /// Runs single queries outside a transaction; each sees its own snapshot.
    ///
    /// The server keeps their plans, so they must not use partitioned tables and must find their
    /// rows by an index. The body is repeated once after a broken connection.
    package func lookUp<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] slot in
            try repeating(.read, on: slot) {
                try slot.withConnection(of: self) { try $0.withKeptPlans(body) }
            }
        }
    }

    /// Uses a connection outside a transaction, for long work or statements that need this.
    ///
    /// The body runs once. It must undo any changes to the session, such as locks or channels; an
    /// open transaction is rolled back.
    @discardableResult
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await perform { [self] slot in
            try slot.withConnection(of: self) { try $0.atLength(body) }
        }
    }

    /// Uses a separate connection like ``withConnection(_:)``, but blocks the thread.
    package func withConnectionNow<Value: Sendable>(
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        let slot = Slot()
        defer {
            state.withLock { state in
                // If no place is free by then, the connection is closed.
                guard !state.isClosed, state.slots.count < options.connections else { return }
                state.slots.append(slot)
                state.idle.append(slot)
            }
        }
        return try slot.withConnection(of: self) { try $0.atLength(body) }
    }

    /// Opens a connection outside the pool; blocks the thread.
    package func dedicatedConnection(
        by deadline: AnswerDeadline = AnswerDeadline()
    ) throws -> PostgreSQLSession {
        var options = options
        // The session is for locking, listening and unlocking, which are fast operations.
        options.statementLimit = min(options.statementLimit, .seconds(10))
        if let urgency { deadline.hurry(within: urgency) }
        return try PostgreSQLSession(address, options: options, pooler: pooler, deadline: deadline)
    }

    /// Ends all connections immediately; calls in progress fail.
    ///
    /// Statements are cancelled; a commit that has begun may still succeed.
    package func close() {
        let (busy, waiting) = state.withLock { state in
            state.isClosed = true
            let (busy, waiting) = (state.busy, state.waiting)
            state.slots = []
            state.idle = []
            state.waiting = []
            return (busy, waiting)
        }
        for job in waiting { job.refuse(Self.closed) }
        for slot in busy { slot.breakOff() }
    }

    /// Gives all further calls only as much time as a cancelled task's calls have, because this
    /// process is about to end.
    package func hurry() {
        let end = ContinuousClock.now + options.grace
        let busy = state.withLock { state in
            state.urgency = state.urgency ?? options.grace
            for index in state.waiting.indices {
                state.waiting[index].end = min(state.waiting[index].end, end)
            }
            return state.busy
        }
        for slot in busy { slot.deadline.hurry(within: options.grace) }
        watchQueue(at: end)
    }

    private var urgency: Duration? { state.withLock(\.urgency) }

    /// Runs work on a connection's thread as soon as one is free.
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Slot) throws -> Value
    ) async throws -> Value {
        let call = Call(grace: options.grace)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    call: call, end: .now + (urgency ?? options.statementLimit),
                    run: { slot in
                        let result = Result { try work(slot) }
                        return { continuation.resume(with: result) }
                    }, refuse: { continuation.resume(throwing: $0) })
                switch assign(job) {
                case .slot(let slot): start(job, on: slot)
                case .queue:
                    watchQueue(at: job.end)
                    // The cancellation may have occurred before this call was registered.
                    if Task.isCancelled { hurry(call) }
                case .nowhere(let error): job.refuse(error)
                }
            }
        } onCancel: {
            call.cancel()
            hurry(call)
        }
    }

    private func assign(_ job: Job) -> Assignment {
        state.withLock { state in
            if state.isClosed { return .nowhere(Self.closed) }
            if let slot = state.idle.popLast() { return .slot(slot) }
            guard state.slots.count < options.connections else {
                guard state.waiting.count < options.mostWaiting else {
                    return .nowhere(busy("\(state.waiting.count) calls are already waiting"))
                }
                state.waiting.append(job)
                return .queue
            }
            let slot = Slot()
            state.slots.append(slot)
            return .slot(slot)
        }
    }

    private func busy(_ reason: String) -> PostgreSQLError {
        PostgreSQLError(
            .tooManyConnections,
            message: "all \(options.connections) connections are in use, and \(reason)")
    }

    /// Limits the waiting time of a cancelled task's call to the grace period.
    private func hurry(_ call: Call) {
        let end = ContinuousClock.now + options.grace
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.call === call }) else { return }
            state.waiting[index].end = min(state.waiting[index].end, end)
        }
        watchQueue(at: end)
    }

    /// Sets a timer that rejects calls that have waited too long.
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
        for job in late { job.refuse(busy("none became free in time")) }
        if let next { watchQueue(at: next) }
    }

    private func start(_ job: Job, on slot: Slot) {
        slot.queue.async { [self] in
            job.call.begin(on: slot)
            let limit = urgency
            if let limit { slot.deadline.hurry(within: limit) }
            let resume = job.run(slot)
            if slot.deadline.isGivenUp { noteSilence(for: limit ?? options.grace) }
            job.call.end()
            // The connection is released before the caller continues, because the caller may use it
            // again.
            let next = free(slot)
            resume()
            if let next { start(next, on: slot) }
        }
    }

    /// Limits later calls to no more than half the time of the call that was just aborted.
    private func noteSilence(for time: Duration) {
        state.withLock { [options] state in
            state.urgency = state.urgency.map { min($0, time / 2, options.lastGrace) }
        }
    }

    /// Takes back a connection and returns its next job.
    private func free(_ slot: Slot) -> Job? {
        state.withLock { state in
            if state.isClosed { return nil }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.idle.append(slot)
            return nil
        }
    }

    /// Repeats a transaction until the result is final.
    private func repeating<Value>(
        _ kind: TransactionKind, on slot: Slot, _ attempt: () throws -> Value
    ) throws -> Value {
        var repetitions = 0
        var isReconnected = false
        var hasReplacedStale = false
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
                // Another server, or a new session of this one, may accept writes in the meantime.
                guard !hasReplacedStale, slot.dropStale() else { throw error }
                hasReplacedStale = true
            } catch let error as PostgreSQLError
                where error.asksForRepetition && repetitions < Self.mostRepetitions && !isClosed
            {
                repetitions += 1
                // A random delay lets one of the conflicting transactions go first.
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
        return now - start < (hasConnected ? options.reconnectTime : Self.startupTimeout)
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

/// Once the task is cancelled, the time limit ends the wait.
private final class Call: Sendable {
    private struct State {
        var isCancelled = false
        var slot: Slot?
    }

    private let grace: Duration
    private let state = Mutex(State())

    init(grace: Duration) {
        self.grace = grace
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.slot?.deadline.hurry(within: grace)
        }
    }

    func begin(on slot: Slot) {
        state.withLock { state in
            state.slot = slot
            if state.isCancelled { slot.deadline.hurry(within: grace) }
        }
    }

    func end() {
        state.withLock { state in
            state.slot?.deadline.relax()
            state.slot = nil
        }
    }
}

/// A place for one connection in a pool, with its thread.
private final class Slot: Sendable {
    let deadline = AnswerDeadline()
    // Only serial queues can have more threads in total than there are cores.
    let queue = DispatchQueue(label: "hubsend.postgresql")
    private let held = Mutex<PostgreSQLConnection?>(nil)
    /// The breaker is separate from the connection, which is locked during use.
    private let breaker = Mutex<LineBreaker?>(nil)

    /// Uses the connection, or opens a new one if it is broken.
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
                // A close after this point finds the breaker; an earlier close is noticed here.
                try pool.expectOpen()
            }
            guard let connection = held else {
                throw PostgreSQLError(.lost, message: "There is no connection.")
            }
            defer { if !connection.isIdle { held = nil } }
            return try body(connection)
        }
    }

    /// Ends the connection unless it is new; returns false for a new connection.
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
