import Synchronization

/// Lets so many requests in at a time, and turns away the rest at once.
final class RequestGate: Sendable {
    private let limit: Int
    private let count = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Lets a request in; whoever got in has to ``leave()``.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            leave()
            return false
        }
        return true
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
