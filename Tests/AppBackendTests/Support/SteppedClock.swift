import TestSupport

/// A clock on which a wait is over when the test says so, or when its task is cancelled.
struct SteppedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private struct State: Sendable {
        /// How often somebody began to wait, by how long in whole seconds.
        var begun: [Int64: Int] = [:]
        /// How many of these waits are over.
        var ended: [Int64: Int] = [:]
    }

    private let start = Instant.now
    private let state = Watched(State())

    var now: Instant { start }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let seconds = (deadline - start).components.seconds
        let number = state.update { state in
            state.begun[seconds, default: 0] += 1
            return state.begun[seconds, default: 0]
        }
        try await state.wait { $0.ended[seconds, default: 0] >= number }
    }

    /// Waits until somebody has begun to wait for so many seconds, so many times in all.
    func hasBegun(_ count: Int, of seconds: Int64) async throws {
        try await state.wait { $0.begun[seconds, default: 0] >= count }
    }

    /// Ends the next wait for so many seconds.
    func endWait(of seconds: Int64) {
        state.update { $0.ended[seconds, default: 0] += 1 }
    }
}
