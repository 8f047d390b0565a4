import Synchronization

final class Counter: Sendable {
    private let number: Mutex<Int>

    init(_ start: Int = 0) {
        number = Mutex(start)
    }

    var value: Int { number.withLock { $0 } }

    @discardableResult
    func add(_ change: Int) -> Int {
        number.withLock { number in
            number += change
            return number
        }
    }
}
