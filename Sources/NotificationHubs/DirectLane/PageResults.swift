import CampaignCore
import Synchronization

/// Where the results of one page wait for its task; a batch grows until it is taken.
final class PageResults: Sendable {
    private struct State {
        var batch: [PushResult] = []
        var isComplete = false
        var isCancelled = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Whether the page's task was cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Says that nothing more of the page shall begin.
    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    /// Adds results.
    ///
    /// - Parameters:
    ///   - results: the results.
    ///   - isLast: whether every push of the page has one now.
    func post(_ results: [PushResult], isLast: Bool) {
        let reader = state.withLock { state in
            if state.batch.isEmpty { state.batch = results } else { state.batch += results }
            state.isComplete = isLast
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Waits for results.
    ///
    /// - Returns: all that have come since the last call; nil after the last.
    func next() async -> [PushResult]? {
        while true {
            let (batch, isComplete) = state.withLock { state in
                defer { state.batch = [] }
                return (state.batch, state.isComplete)
            }
            if !batch.isEmpty { return batch }
            if isComplete { return nil }
            await wait()
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.batch.isEmpty || state.isComplete { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
