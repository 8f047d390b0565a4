import Synchronization

/// A clock that advances with each reading; sleeping on it throws a cancellation.
final class TickingClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    let minimumResolution: Duration = .zero
    private let tick: Duration
    private let time = Mutex(ContinuousClock.now)

    init(tick: Duration) {
        self.tick = tick
    }

    var now: Instant {
        time.withLock { time in
            time += tick
            return time
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        throw CancellationError()
    }
}
