/// Time since the work on a run started.
struct Timeline: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        self.read = { origin.duration(to: clock.now) }
        self.wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    var now: Duration { read() }

    func sleep(until time: Duration) async throws {
        try await wait(time)
    }
}

/// An alarm that rings once, at the earliest time that was set.
struct Alarm: Sendable {
    private let timeline: Timeline
    private let ring: @Sendable () -> Void
    private var due: (time: Duration, task: Task<Void, Never>)?

    /// - Parameter ring: must return immediately.
    init(_ timeline: Timeline, ring: @escaping @Sendable () -> Void) {
        self.timeline = timeline
        self.ring = ring
    }

    /// Makes the alarm ring at a time, or earlier if it is already set to an earlier time.
    ///
    /// - Parameter now: the current time; an alarm that was due by then is ignored.
    mutating func set(for time: Duration, at now: Duration) {
        if let due, due.time > now, due.time <= time { return }
        cancel()
        let task = Task { [timeline, ring] in
            do {
                try await timeline.sleep(until: time)
            } catch {
                return  // The alarm was cancelled.
            }
            ring()
        }
        due = (time, task)
    }

    mutating func cancel() {
        due?.task.cancel()
        due = nil
    }
}
