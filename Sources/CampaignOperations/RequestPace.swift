/// Lets requests begin no closer together than a rate allows.
struct RequestPace {
    private let clock: any Clock<Duration>
    private let start: AnyInstant
    private let interval: Duration
    private var next: Duration = .zero

    init(rate: Double?, clock: any Clock<Duration>) {
        self.clock = clock
        start = AnyInstant(clock)
        interval = rate.map { .seconds(1 / $0) } ?? .zero
    }

    /// The time since the first request could begin.
    var elapsed: Duration { start.elapsed }

    /// Waits for the next turn; turns that were missed are not made up for.
    mutating func wait() async throws {
        let now = elapsed
        if now < next { try await clock.sleep(for: next - now) }
        next = max(now, next) + interval
    }
}

/// A moment of a clock of any kind.
private struct AnyInstant {
    private let measure: () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        measure = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { measure() }
}
