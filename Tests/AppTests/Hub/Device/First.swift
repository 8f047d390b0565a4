import Synchronization

final class First: Sendable {
    private let isLater = Mutex(false)

    /// True only for the first caller.
    var isFirst: Bool {
        isLater.withLock { isLater in
            defer { isLater = true }
            return !isLater
        }
    }
}
