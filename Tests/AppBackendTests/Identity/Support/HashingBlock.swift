import Dispatch

@testable import AppBackend

final class HashingBlock: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    init(of threads: HashingThreads) throws {
        try threads.submit(from: LimitedAddress(nil), failures: 0, displaced: {}) { [semaphore] in
            semaphore.wait()
        }
    }

    func end() {
        semaphore.signal()
    }
}
