import Synchronization

/// Signals that the process should end; the work continues until everything is recorded.
final class Interruption: Sendable {
    private struct State: Sendable {
        var hasCome = false
        var events: EventQueue<RunEvent>?
    }

    private let state = Mutex(State())

    var hasCome: Bool { state.withLock(\.hasCome) }

    func come() {
        let events = state.withLock { state in
            state.hasCome = true
            return state.events
        }
        events?.post(.cancelled)
    }

    /// Posts the interruption to a queue, immediately if it has already occurred.
    func reach(_ events: EventQueue<RunEvent>) {
        let hasCome = state.withLock { state in
            state.events = events
            return state.hasCome
        }
        if hasCome { events.post(.cancelled) }
    }

    /// Waits for the given time; returns false if the interruption occurs first.
    func wait(_ time: Duration, on timeline: Timeline) async -> Bool {
        let events = EventQueue<RunEvent>()
        reach(events)
        let now = timeline.now
        var alarm = Alarm(timeline) { events.post(.alarm) }
        alarm.set(for: now + time, at: now)
        _ = await events.receive()
        alarm.cancel()
        return !hasCome
    }
}
