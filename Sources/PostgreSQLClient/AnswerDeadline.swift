import Dispatch
import Synchronization

/// Aborts a connection if the server does not answer in time or the caller stops waiting.
///
/// The time during which an answer is waiting unread is ignored, because then this process was
/// suspended or slow.
package final class AnswerDeadline: Sendable {
    private struct State {
        /// The deadline for the answer to the current statement.
        var statement: ContinuousClock.Instant?
        /// The time when the caller stops waiting.
        var caller: ContinuousClock.Instant?
        var breaker: LineBreaker?
        var hasPassed = false
    }

    private let alarm = Alarm()
    private let state = Mutex(State())

    package init() {}

    /// Whether this deadline has aborted the connection.
    var hasPassed: Bool { state.withLock(\.hasPassed) }

    /// Whether the caller has stopped waiting.
    var isGivenUp: Bool { state.withLock { $0.caller.map { $0 <= .now } ?? false } }

    func watch(_ breaker: LineBreaker) {
        state.withLock { state in
            state.breaker = breaker
            state.hasPassed = false
        }
    }

    /// Makes a call that the server must answer in time.
    func expect<Value>(within limit: Duration, _ call: () -> Value) -> Value {
        set { $0.statement = .now + limit }
        defer { state.withLock { $0.statement = nil } }
        return call()
    }

    /// Limits all calls to a given time, until ``relax()``, because the caller's task was
    /// cancelled.
    package func hurry(within grace: Duration) {
        set { $0.caller = .now + grace }
    }

    package func relax() {
        state.withLock { $0.caller = nil }
    }

    private func set(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            return Self.due(state)
        }
        if let due { alarm.set(for: due) { [weak self] in self?.checkDeadlines() } }
    }

    private static func due(_ state: State) -> ContinuousClock.Instant? {
        guard let statement = state.statement else { return nil }
        return state.caller.map { min($0, statement) } ?? statement
    }

    private func checkDeadlines() {
        let now = ContinuousClock.now
        let (breaker, due) = state.withLock { state -> (LineBreaker?, ContinuousClock.Instant?) in
            guard let due = Self.due(state) else { return (nil, nil) }
            if now < due { return (nil, due) }
            if state.breaker?.hasInput == true { return (nil, now + .seconds(1)) }
            state.hasPassed = true
            return (state.breaker, nil)
        }
        breaker?.end()
        if let due { alarm.set(for: due) { [weak self] in self?.checkDeadlines() } }
    }
}

/// A single timer that can be set many times; it may also fire early.
final class Alarm: Sendable {
    private static let queue = DispatchQueue(label: "hubsend.postgresql.alarms")

    private let next = Mutex<ContinuousClock.Instant?>(nil)

    func set(for time: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) {
        let isSooner = next.withLock { next in
            if let next, next <= time { return false }
            next = time
            return true
        }
        guard isSooner else { return }
        let wait = max(.zero, time - .now) / .seconds(1)
        Self.queue.asyncAfter(deadline: .now() + wait) { [weak self] in
            guard let self else { return }
            next.withLock { if $0 == time { $0 = nil } }
            ring()
        }
    }
}
