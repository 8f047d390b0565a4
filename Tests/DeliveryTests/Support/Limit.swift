import Synchronization

/// The hub's own limit on pushes per second.
final class Limit: Sendable {
    private let rate: Int
    private let taken = Mutex<[Int64: Int]>([:])

    init(rate: Int) {
        self.rate = rate
    }

    func takes(at time: Duration) -> Bool {
        taken.withLock { taken in
            taken[time.components.seconds, default: 0] += 1
            return taken[time.components.seconds, default: 0] <= rate
        }
    }
}
