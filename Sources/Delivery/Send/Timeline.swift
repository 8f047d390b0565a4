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

/// Rings once, at the time for which it was set last.
///
/// At most one ring is due at any time: setting the alarm to an earlier time takes the later one back.
struct Alarm: Sendable {
    private let timeline: Timeline
    private let ring: @Sendable () -> Void
    private var due: (time: Duration, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - timeline: the time that it rings by.
    ///   - ring: is called when the time has come; must return at once.
    init(_ timeline: Timeline, ring: @escaping @Sendable () -> Void) {
        self.timeline = timeline
        self.ring = ring
    }

    /// Sees to it that it rings at a time or earlier.
    ///
    /// - Parameters:
    ///   - time: on the timeline.
    ///   - now: the time; a ring that was due by then does not count any more.
    mutating func set(for time: Duration, at now: Duration) {
        if let due, due.time > now, due.time <= time { return }
        cancel()
        let task = Task { [timeline, ring] in
            do {
                try await timeline.sleep(until: time)
            } catch {
                return  // It was taken back.
            }
            ring()
        }
        due = (time, task)
    }

    /// Takes a ring back that has not come yet.
    mutating func cancel() {
        due?.task.cancel()
        due = nil
    }
}
