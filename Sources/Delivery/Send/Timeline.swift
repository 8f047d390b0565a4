/// Time since the work on a run began, by whichever clock was injected.
struct Timeline: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        self.read = { origin.duration(to: clock.now) }
        self.wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    var now: Duration { read() }

    /// Waits.
    ///
    /// - Parameter time: on this timeline.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until time: Duration) async throws {
        try await wait(time)
    }
}
