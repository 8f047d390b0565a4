import Synchronization

/// Tells the first time from all others.
final class First: Sendable {
    private let isLater = Mutex(false)

    /// Whether it is the first time that anybody asks.
    var isFirst: Bool {
        isLater.withLock { isLater in
            defer { isLater = true }
            return !isLater
        }
    }
}
