import Synchronization

/// That the process was asked to end, for work that goes on until all is written down.
final class Interruption: Sendable {
    private struct State: Sendable {
        var hasCome = false
        var events: EventQueue<RunEvent>?
    }

    private let state = Mutex(State())

    var hasCome: Bool { state.withLock(\.hasCome) }

    /// It was asked.
    func come() {
        let events = state.withLock { state in
            state.hasCome = true
            return state.events
        }
        events?.post(.cancelled)
    }

    /// Has it posted there from now on, and at once when it has come before.
    func reach(_ events: EventQueue<RunEvent>) {
        let hasCome = state.withLock { state in
            state.events = events
            return state.hasCome
        }
        if hasCome { events.post(.cancelled) }
    }

    /// Waits, but no longer than until it comes.
    ///
    /// - Returns: whether it has not come.
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
