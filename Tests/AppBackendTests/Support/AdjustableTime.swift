import Foundation
import Synchronization

final class AdjustableTime: Sendable {
    static let start = Date(timeIntervalSince1970: 1_796_112_000.25)

    private let elapsed = Mutex(TimeInterval(0))

    var now: @Sendable () -> Date {
        { Self.start.addingTimeInterval(self.elapsed.withLock { $0 }) }
    }

    func move(by seconds: TimeInterval) {
        elapsed.withLock { $0 += seconds }
    }
}
