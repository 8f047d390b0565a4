import CampaignCore
import Synchronization

/// Carries what happens elsewhere to the one task that works on a run.
///
/// It hands over everything that has gathered at once, so that a busy run writes few, large transactions. What can gather
/// is bounded by the pages that are out.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: CheckedContinuation<[Element], Never>?
        var gathered: [Element] = []
    }

    private let state = Mutex(State())

    /// Leaves something; never waits.
    func post(_ element: Element) {
        let waiting = state.withLock { state -> CheckedContinuation<[Element], Never>? in
            guard let waiting = state.waiting else {
                state.gathered.append(element)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: [element])
    }

    /// Takes all there is, and waits for it when there is nothing; for one task at a time.
    func receive() async -> [Element] {
        await withCheckedContinuation { continuation in
            let gathered = state.withLock { state -> [Element] in
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
    /// Time has come to look around.
    case alarm
    /// The process was asked to end.
    case cancelled
    case results([PushResult], page: Int)
    /// The sender is done with a page.
    case sent(page: Int)
}
