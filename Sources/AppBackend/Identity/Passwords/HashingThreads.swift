import NIOPosix
import Synchronization

/// Threads of their own for hashing passwords, so that no request but those that wait for one is
/// held up.
final class HashingThreads: Sendable {
    /// There is no room for another piece of work.
    struct Full: Error, Hashable {}

    private let threads: NIOThreadPool
    private let limit: Int
    private let count = Mutex(0)

    /// Starts the threads; they end with the object.
    ///
    /// - Parameters:
    ///   - threads: how many hash at the same time.
    ///   - limit: how many pieces of work may wait for one.
    init(threads: Int, limit: Int) {
        self.threads = NIOThreadPool(numberOfThreads: threads)
        self.limit = limit
        self.threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Has work done on one of the threads.
    ///
    /// - Throws: ``Full`` when too much waits already.
    func submit(_ work: @escaping @Sendable () -> Void) throws(Full) {
        let isTaken = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isTaken else { throw Full() }
        // Work that comes after the end is done where it comes from: none is lost.
        threads.submit { _ in
            self.count.withLock { $0 -= 1 }
            work()
        }
    }
}
