import Synchronization

final class First: Sendable {
    private let isLater = Mutex(false)

    /// True for the first caller only.
    var isFirst: Bool {
        isLater.withLock { isLater in
            defer { isLater = true }
            return !isLater
        }
    }
}
