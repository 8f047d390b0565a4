import Synchronization

/// Bounds the requests in flight over all pages of a sender; first come, first served.
///
/// Waiting is not cut short by cancellation: every permit comes back within a request's timeout,
/// and a page has to wait for its own requests in flight anyway.
final class RequestPermits: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Makes permits.
    ///
    /// - Parameter count: how many requests may be in flight, 1 or more.
    init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Takes a permit, waiting for one if all are out.
    func take() async {
        if takeFree() { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a permit back, to the one that waits longest.
    func giveBack() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiters.removeFirst()
        }
        waiter?.resume()
    }

    private func takeFree() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }
}
