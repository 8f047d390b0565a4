import TestSupport

/// A clock whose waits end when the test says so or on cancellation.
struct SteppedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private struct State: Sendable {
        /// The number of waits, by length in whole seconds.
        var begun: [Int64: Int] = [:]
        /// The number of waits, by length in whole seconds.
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

    /// Waits until `count` waits of this many seconds have begun.
    func hasBegun(_ count: Int, of seconds: Int64) async throws {
        try await state.wait { $0.begun[seconds, default: 0] >= count }
    }

    func endWait(of seconds: Int64) {
        state.update { $0.ended[seconds, default: 0] += 1 }
    }
}
