import Foundation
import Synchronization

/// A clock that a test moves; who sleeps by it wakes when it has come far enough.
final class TestClock: Sendable {
    private struct State {
        var now = HubUnderTest.now
        var sleepers: [Int: (end: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var count = 0
    }

    /// How long each sleep that began is to last.
    private let naps: AsyncStream<Duration>
    private let begun: AsyncStream<Duration>.Continuation
    private let state = Mutex(State())

    init() {
        (naps, begun) = AsyncStream.makeStream()
    }

    /// The time.
    var now: Date { state.withLock(\.now) }

    /// Moves the clock.
    func advance(by seconds: Double) {
        let woken = state.withLock { state in
            state.now += seconds
            let woken = state.sleepers.filter { $0.value.end <= state.now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Waits until somebody sleeps for so long.
    func waitForSleep(of duration: Duration) async {
        _ = await naps.first { $0 == duration }
    }

    /// Sleeps until the clock has been moved that far, or the task is cancelled.
    func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(id) == nil else { return true }
                    let end = state.now + duration / .seconds(1)
                    state.sleepers[id] = (end, continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    begun.yield(duration)
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
