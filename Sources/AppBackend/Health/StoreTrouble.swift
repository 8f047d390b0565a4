import Logging
import Synchronization

/// Tells the log that requests fail because the store does: once for a trouble that lasts, and again when it is another one.
final class StoreTrouble: Sendable {
    private let logger: Logger
    private let told = Mutex<String?>(nil)

    init(logger: Logger) {
        self.logger = logger
    }

    /// A request failed.
    func begin(_ error: any Error) {
        let text = "\(error)"
        let isNew = told.withLock { told in
            defer { told = text }
            return told != text
        }
        guard isNew else { return }
        logger.error("Requests fail, because the store does.", metadata: ["error": "\(text)"])
    }

    /// A request was answered, so that the next trouble is a new one.
    func end() {
        told.withLock { $0 = nil }
    }
}
