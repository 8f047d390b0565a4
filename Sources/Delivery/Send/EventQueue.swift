import CampaignCore
import Synchronization

/// Carries events to the one task that works on a run.
///
/// Hands over everything gathered, so that a busy run writes few, large transactions. The pages
/// that are out limit how much can gather.
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

    /// Takes all events, or waits for one; only one task may call it at a time.
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
    /// `asked` counts the requests for news by then.
    case news(RunNews, asked: Int)
    case partFailed(any Error)
}
