import Synchronization

/// Lets so many do something at a time, and turns away the rest at once.
package final class ConcurrencyLimit: Sendable {
    private let limit: Int
    private let count = Atomic(0)

    /// - Parameter limit: how many at a time.
    package init(_ limit: Int) {
        self.limit = limit
    }

    /// Takes a permit; whoever got one has to ``release()`` it.
    ///
    /// - Returns: false when all are taken.
    package func acquire() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            release()
            return false
        }
        return true
    }

    /// Gives a permit back.
    package func release() {
        count.subtract(1, ordering: .relaxed)
    }
}
