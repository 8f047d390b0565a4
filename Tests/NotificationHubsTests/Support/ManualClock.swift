import FoundationEssentials
import Synchronization

final class ManualClock: Sendable {
    private let seconds: Mutex<Double>

    init(_ seconds: Double) {
        self.seconds = Mutex(seconds)
    }

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func advance(by step: Double) {
        seconds.withLock { $0 += step }
    }
}
