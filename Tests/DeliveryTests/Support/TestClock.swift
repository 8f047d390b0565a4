import Dispatch
import Synchronization

/// A clock that jumps to the next waiting task as soon as no work holds it.
///
/// Work calls ``hold(_:)``, so that time never overtakes it. Time advances only when a task starts
/// to wait or a hold is released.
final class TestClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let isPatient: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var holds = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
        var mostMovers = 0
        var leastMovers = 1
    }

    private let state = Mutex(State())
    private let wakes = DispatchQueue(label: "wakes of a test clock")

    var now: Instant { state.withLock(\.now) }
    var elapsed: Duration { now.offset }
    let minimumResolution: Duration = .nanoseconds(1)
    /// The maximum number of tasks that waited and advanced the clock at the same time.
    var mostMovers: Int { state.withLock(\.mostMovers) }

    /// Lets time advance only while at least this many tasks wait for it.
    ///
    /// Without this, time could continue while one of several tasks has been woken but has not
    /// started to work: a task that waits repeatedly would leave the other behind.
    func requireMovers(_ count: Int) {
        state.withLock { $0.leastMovers = count }
        advance()
    }

    /// Stops time until the same number of holds has been released.
    func hold(_ count: Int = 1) {
        state.withLock { $0.holds += count }
    }

    func release(_ count: Int = 1) {
        state.withLock { $0.holds -= count }
        advance()
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await wait(until: deadline, isPatient: false)
    }

    /// Waits without advancing time, until other tasks have advanced it this far.
    func sleepPatiently(until time: Duration) async throws {
        try await wait(until: Instant(offset: time), isPatient: true)
    }

    private func wait(until deadline: Instant, isPatient: Bool) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.sleepers[id] = Sleeper(
                        deadline: deadline, isPatient: isPatient, continuation: continuation)
                    let movers = state.sleepers.values.count { !$0.isPatient }
                    state.mostMovers = max(state.mostMovers, movers)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                advance()
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            advance()
        }
    }

    private func advance() {
        let woken = state.withLock { state -> [Sleeper] in
            let movers = state.sleepers.values.filter { !$0.isPatient }
            guard state.holds <= 0, movers.count >= state.leastMovers,
                let next = movers.map(\.deadline).min()
            else { return [] }
            state.now = max(state.now, next)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return Array(due.values)
        }
        guard !woken.isEmpty else { return }
        // Runs on another thread, so that a loop that only waits cannot block other tasks.
        wakes.async {
            for sleeper in woken { sleeper.continuation.resume() }
        }
    }
}
