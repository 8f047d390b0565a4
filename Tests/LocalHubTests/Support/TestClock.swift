import Foundation
import Synchronization

/// A clock that the test advances, and that wakes sleepers.
final class TestClock: Sendable {
    private struct State {
        var now = HubUnderTest.now
        var sleepers: [Int: (end: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var count = 0
    }

    private enum Beginning {
        case cancelled, over
        case asleep(Duration)
    }

    private let naps: AsyncStream<Duration>
    private let begun: AsyncStream<Duration>.Continuation
    private let state = Mutex(State())

    init() {
        (naps, begun) = AsyncStream.makeStream()
    }

    var now: Date { state.withLock(\.now) }

    func advance(by seconds: Double) {
        let woken = state.withLock { state in
            state.now += seconds
            let woken = state.sleepers.filter { $0.value.end <= state.now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func waitForSleep(of duration: Duration) async {
        _ = await naps.first { $0 == duration }
    }

    func sleep(_ duration: Duration) async throws {
        try await sleep { _ in duration }
    }

    /// Sleeps until the clock shows a time or the task is cancelled.
    func sleep(until time: Date) async throws {
        try await sleep { .seconds(time.timeIntervalSince($0)) }
    }

    private func sleep(_ duration: (Date) -> Duration) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let beginning = state.withLock { state -> Beginning in
                    guard state.cancelled.remove(id) == nil else { return .cancelled }
                    let duration = duration(state.now)
                    guard duration > .zero else { return .over }
                    state.sleepers[id] = (state.now + duration / .seconds(1), continuation)
                    return .asleep(duration)
                }
                switch beginning {
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .over: continuation.resume()
                case .asleep(let duration): begun.yield(duration)
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
