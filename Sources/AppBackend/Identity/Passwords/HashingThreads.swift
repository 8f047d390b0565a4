import NIOPosix
import Synchronization

/// Threads that only hash passwords, so that hashing does not delay other requests.
final class HashingThreads: Sendable {
    struct Full: Error, Hashable {}

    private struct Work: Sendable {
        let hash: @Sendable () -> Void
        let displaced: @Sendable () -> Void
    }

    private struct State {
        var queue: HashingQueue<Work>
        var idle: Int
    }

    private let threads: NIOThreadPool
    private let state: Mutex<State>

    init(
        threads: Int, limit: Int,
        limitOfAnAddress: Int = PasswordSignIn.mostChecksOfAnAddress
    ) {
        self.threads = NIOThreadPool(numberOfThreads: threads)
        state = Mutex(
            State(
                queue: HashingQueue(limit: limit, limitOfAnAddress: limitOfAnAddress),
                idle: threads))
        self.threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Queues work; throws ``Full`` if there is no room.
    ///
    /// `failures` is the number of recent failures of the address. If the work loses its place in
    /// the queue, `displaced` is called instead.
    func submit(
        from address: LimitedAddress, failures: Int, displaced: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable () -> Void
    ) throws(Full) {
        let work = Work(hash: work, displaced: displaced)
        let arrival = state.withLock { state -> HashingQueue<Work>.Arrival? in
            guard state.idle == 0 else {
                state.idle -= 1
                return nil
            }
            return state.queue.add(work, from: address, failures: failures)
        }
        switch arrival {
        case nil: start(work)
        case .waits: break
        case .displaces(let other): other.displaced()
        case .refused: throw Full()
        }
    }

    private func start(_ work: Work) {
        // After the pool has ended, it runs submitted work on the caller's thread, so that nothing
        // is lost.
        threads.submit { _ in
            var next: Work? = work
            while let work = next {
                work.hash()
                next = self.state.withLock { state in
                    let next = state.queue.next()
                    if next == nil { state.idle += 1 }
                    return next
                }
            }
        }
    }
}
