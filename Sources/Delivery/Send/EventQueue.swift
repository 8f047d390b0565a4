import CampaignCore
import Synchronization

/// Passes events to the task that works on a run.
///
/// The task receives all waiting events together, so that a busy run writes a few large
/// transactions. The number of pages in flight limits how many events can wait.
final class EventQueue<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: CheckedContinuation<[Event], Never>?
        var gathered: [Event] = []
    }

    private let state = Mutex(State())

    /// Never waits.
    func post(_ event: Event) {
        let waiting = state.withLock { state -> CheckedContinuation<[Event], Never>? in
            guard let waiting = state.waiting else {
                state.gathered.append(event)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: [event])
    }

    /// Takes all waiting events, or waits for one.
    ///
    /// Only one task at a time may call this.
    func receive() async -> [Event] {
        await withCheckedContinuation { continuation in
            let gathered = state.withLock { state -> [Event] in
                let gathered = state.gathered
                state.gathered = []
                if gathered.isEmpty { state.waiting = continuation }
                return gathered
            }
            if !gathered.isEmpty { continuation.resume(returning: gathered) }
        }
    }
}

enum RunEvent: Sendable {
    case alarm
    case cancelled
    case results([PushResult], page: Int)
    case sent(page: Int)
    /// `asked` is how many times news had been requested when this news was read.
    case news(RunNews, asked: Int)
    case partFailed(any Error)
}
