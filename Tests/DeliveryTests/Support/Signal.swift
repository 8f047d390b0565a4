import Synchronization

final class Signal: Sendable {
    private struct State: Sendable {
        var hasHappened = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func happen() {
        state.withLock { state in
            state.hasHappened = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasHappened { state.waiter = continuation }
                return state.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }

    static func cancellation() async {
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}
