/// Spaces requests so that they keep to a rate.
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

    var elapsed: Duration { start.elapsed }

    /// Waits for the next turn; missed turns are not made up for.
    mutating func wait() async throws {
        let now = elapsed
        if now < next { try await clock.sleep(for: next - now) }
        next = max(now, next) + interval
    }
}

private struct AnyInstant {
    private let measure: () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        measure = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { measure() }
}
