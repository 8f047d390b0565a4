import Synchronization

/// A clock on which short waits are over at once, and long ones when their task is cancelled.
struct HurriedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    /// The time of day, which goes on by what is waited for.
    let time: AdjustableTime

    var now: Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = deadline - .now
        guard wait > .seconds(60) else {
            try Task.checkCancellation()
            time.move(by: max(0, wait / .seconds(1)))
            await Task.yield()
            return
        }
        for await _ in AsyncStream.makeStream(of: Never.self).stream {}
        throw CancellationError()
    }
}
