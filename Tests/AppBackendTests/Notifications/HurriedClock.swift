import TestSupport

/// A clock on which short waits are over at once, and long ones when their task is cancelled.
///
/// After a hundred short waits the next ones last too: what is tried again for ever would otherwise never leave its thread
/// to the test that is to end it.
struct HurriedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    /// The time of day, which goes on by what is waited for.
    let time: AdjustableTime
    private let shortWaits = Watched(100)

    init(time: AdjustableTime) {
        self.time = time
    }

    var now: Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = deadline - .now
        let isShort = shortWaits.update { left in
            guard wait <= .seconds(60), left > 0 else { return false }
            left -= 1
            return true
        }
        guard isShort else {
            for await _ in AsyncStream.makeStream(of: Never.self).stream {}
            throw CancellationError()
        }
        try Task.checkCancellation()
        time.move(by: max(0, wait / .seconds(1)))
    }
}
