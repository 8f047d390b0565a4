import Synchronization

/// A number that several tasks change.
final class Counter: Sendable {
    private let number: Mutex<Int>

    init(_ start: Int = 0) {
        number = Mutex(start)
    }

    var value: Int { number.withLock { $0 } }

    func add(_ change: Int) {
        number.withLock { $0 += change }
    }
}
