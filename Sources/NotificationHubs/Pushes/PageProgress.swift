import CampaignCore
import Synchronization

/// Where a page stands: what the workers take next and what they have finished.
final class PageProgress: Sendable {
    private struct State {
        var next = 0
        var finished: [PushResult] = []
    }

    private let count: Int
    private let state = Mutex(State())

    /// Begins a page.
    ///
    /// - Parameter count: how many pushes it has.
    init(count: Int) {
        self.count = count
    }

    /// Takes the next push that nobody has begun.
    ///
    /// - Returns: its index in the page; nil when there is none.
    func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Keeps a result until it is handed over.
    func finish(_ result: PushResult) {
        state.withLock { $0.finished.append(result) }
    }

    /// Takes the results that came since the last call.
    func takeFinished() -> [PushResult] {
        state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }
}
