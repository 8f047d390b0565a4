import Dispatch

@testable import AppBackend

/// Keeps one of the threads that hash passwords from doing so.
final class HashingBlock: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Occupies a thread.
    ///
    /// - Throws: `HashingThreads.Full`.
    init(of threads: HashingThreads) throws {
        try threads.submit(from: LimitedAddress(nil), failures: 0, displaced: {}) { [semaphore] in
            semaphore.wait()
        }
    }

    /// Lets the thread go on.
    func end() {
        semaphore.signal()
    }
}
