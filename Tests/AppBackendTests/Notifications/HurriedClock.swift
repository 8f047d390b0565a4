import TestSupport

/// A clock whose short waits end immediately, and whose long waits end only on cancellation.
///
/// After a hundred short waits, further short waits also end only on cancellation. Otherwise, an
/// endless retry would never yield its thread to the test that must stop it.
struct HurriedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    /// The time of day, which advances with each wait.
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
