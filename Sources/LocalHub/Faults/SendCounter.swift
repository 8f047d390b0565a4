import Synchronization

/// Numbers the sends of a hub from 1.
final class SendCounter: Sendable {
    private let last = Atomic<Int>(0)

    /// The next number.
    func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }
}
