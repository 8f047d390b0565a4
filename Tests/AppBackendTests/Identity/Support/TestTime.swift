import Foundation
import Synchronization

@testable import AppBackend

final class TestTime: Sendable {
    /// 2026-12-01T09:00:00Z.
    static let start = Date(timeIntervalSince1970: 1_796_115_600)

    private let passed = Mutex(Duration.zero)
    private let origin = ContinuousClock.now

    /// The clock for code under test that never sleeps on it.
    var clock: IdentityClock {
        IdentityClock(
            instant: { self.origin + self.passed.withLock(\.self) },
            date: { Self.start + self.passed.withLock { $0 / .seconds(1) } },
            sleep: { _ in throw CancellationError() })
    }

    var now: ContinuousClock.Instant { clock.instant() }

    func advance(by duration: Duration) {
        passed.withLock { $0 += duration }
    }
}
