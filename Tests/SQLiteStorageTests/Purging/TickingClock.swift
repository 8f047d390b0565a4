import Synchronization

/// A clock that goes on by as much with each look at it, and by which nobody sleeps: who would is cancelled.
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
