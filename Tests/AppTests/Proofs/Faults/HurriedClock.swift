struct HurriedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let factor: Int
    let minimumResolution: Duration = .milliseconds(1)
    private let start = ContinuousClock.now

    init(factor: Int) {
        self.factor = factor
    }

    var now: Instant { Instant(offset: (ContinuousClock.now - start) * factor) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: start + deadline.offset / factor)
    }
}
