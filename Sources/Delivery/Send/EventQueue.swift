import CampaignCore
import Synchronization

/// Carries events to the one task that works on a run.
///
/// It hands over everything that has gathered at once, so that a busy run writes few, large transactions. The pages that are
/// out bound what can gather.
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

    /// Takes all there is, and waits for an event when there is none; for one task at a time.
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
    /// What others who work on it have told; which time they were asked.
    case news(RunNews, asked: Int)
    /// This process has no part in it any more.
    case partFailed(any Error)
}
