import Synchronization

/// Lets a few pieces of work run at once, so that none of them starves on a small machine.
package final class Crowd: Sendable {
    private struct State {
        var free: Int
        /// Those that wait for a place; who came last is next.
        ///
        /// A test that follows another of its suite is not to wait for all that have no such order.
        var waiting: [Milestone] = []
    }

    private let state: Mutex<State>

    /// - Parameter limit: how many at the most.
    package init(limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// Does a piece of work once there is a place for it.
    ///
    /// - Parameter work: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `CancellationError` when the task is cancelled before that.
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
        // Whoever has a place does not wait any more, also when it is cancelled at the same time.
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
