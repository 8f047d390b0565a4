import CampaignCore
import Synchronization

/// Carries events to the one task that works on a run.
///
/// It hands over everything that has gathered at once, so that a busy run writes few, large transactions. The pages that are
/// out limit how much can gather.
final class EventQueue<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: CheckedContinuation<[Event], Never>?
        var gathered: [Event] = []
    }

    private let state = Mutex(State())

    /// Adds an event; never waits.
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

    /// Takes all events, and waits for one when there are none yet; only one task may call it at a time.
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

/// What happens to a run while it is worked on.
enum RunEvent: Sendable {
    /// It is time to look around.
    case alarm
    /// The process was asked to end.
    case cancelled
    case results([PushResult], page: Int)
    /// The sender is done with a page.
    case sent(page: Int)
    /// What the others who work on the run have told; `asked` counts how often they had been asked by then.
    case news(RunNews, asked: Int)
    /// This process no longer has a part in the run.
    case partFailed(any Error)
}
