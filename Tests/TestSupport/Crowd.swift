import Synchronization

/// Runs a few pieces of work at a time, so that none starves on a small machine.
package final class Crowd: Sendable {
    private struct State {
        var free: Int
        /// Last in, first out: the next test of an ordered suite should not wait for all others.
        var waiting: [Milestone] = []
    }

    private let state: Mutex<State>

    package init(limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// Throws the error of the work, or `CancellationError` if the task is cancelled first.
    package func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        let turn = Milestone()
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                turn.reach()
            } else {
                state.waiting.append(turn)
            }
        }
        await turn.wait()
        if turn.isReached { return }
        // A task that already has a place keeps it, even if it is cancelled at the same time.
        let isOut = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if isOut { throw CancellationError() }
    }

    private func leave() {
        let next = state.withLock { state -> Milestone? in
            guard state.waiting.isEmpty else { return state.waiting.removeLast() }
            state.free += 1
            return nil
        }
        next?.reach()
    }
}
