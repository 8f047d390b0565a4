import Synchronization

/// A clock on which waits take no time, because the clock jumps to the end of each wait.
final class SteppedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let minimumResolution: Duration = .nanoseconds(1)
    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(offset: elapsed) }
    /// The total length of all waits.
    var elapsed: Duration { time.withLock(\.self) }

    func move(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline.offset) }
        // Without this, a loop that only waits would occupy a thread of the pool, which may have
        // only two.
        await Task.yield()
    }
}
