import Synchronization

/// Limits how many do something at a time, and rejects others at once.
package final class ConcurrencyLimit: Sendable {
    /// A permit that is given back with the last reference to it.
    package final class Permit: Sendable {
        private let limit: ConcurrencyLimit

        fileprivate init(of limit: ConcurrencyLimit) {
            self.limit = limit
        }

        deinit {
            limit.release()
        }
    }

    private struct State {
        var taken = 0
        var watchers: [AsyncStream<Int>.Continuation] = []

        mutating func change(by difference: Int) {
            taken += difference
            // Under the lock, so that the newest count is reported last.
            watchers.removeAll { watcher in
                if case .terminated = watcher.yield(taken) { true } else { false }
            }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(_ limit: Int) {
        self.limit = limit
    }

    /// The number of taken permits, at first and after changes; a slow reader misses counts, but
    /// never the newest.
    package var counts: AsyncStream<Int> {
        let (counts, watcher) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            watcher.yield(state.taken)
            state.watchers.append(watcher)
        }
        return counts
    }

    /// Takes a permit that must be released with ``release()``; false when all are taken.
    package func acquire() -> Bool {
        state.withLock { state in
            guard state.taken < limit else { return false }
            state.change(by: 1)
            return true
        }
    }

    package func release() {
        state.withLock { $0.change(by: -1) }
    }

    /// Takes a permit that lasts as long as a reference to it; nil when all are taken.
    package func permit() -> Permit? {
        acquire() ? Permit(of: self) : nil
    }
}
