package import NIOCore
import Synchronization

/// Limits how many callers do something at the same time; others are rejected or wait.
package final class ConcurrencyLimit: Sendable {
    /// A permit that is returned with the last reference to it.
    package final class Permit: Sendable {
        private let limit: ConcurrencyLimit

        fileprivate init(of limit: ConcurrencyLimit) {
            self.limit = limit
        }

        deinit {
            limit.release()
        }
    }

    private struct Waiter {
        let deadline: NIODeadline
        let turn: CheckedContinuation<Bool, Never>
    }

    private enum Waiting {
        /// A permit was returned in the meantime and is now taken.
        case over
        case begun
        case begunWithoutTimer
    }

    private struct State {
        var taken = 0
        /// The waiters in order of arrival, which is also the order of their deadlines.
        var waiters = CircularBuffer<Waiter>()
        /// Whether a timer is set for the first waiter.
        var hasTimer = false
        var watchers: [AsyncStream<Int>.Continuation] = []

        var count: Int { taken + waiters.count }

        /// This happens under the lock, so that the newest count is reported last.
        mutating func report() {
            let count = count
            watchers.removeAll { watcher in
                if case .terminated = watcher.yield(count) { true } else { false }
            }
        }

        mutating func acquire(_ limit: Int) -> Bool {
            guard taken < limit else { return false }
            taken += 1
            report()
            return true
        }

        /// Returns a permit, or gives it to the caller that has waited longest.
        mutating func release() -> Waiter? {
            defer { report() }
            if let next = waiters.popFirst() { return next }
            taken -= 1
            return nil
        }

        /// Queues a caller that has just found no permit.
        mutating func wait(_ waiter: Waiter, limit: Int) -> Waiting {
            if acquire(limit) { return .over }
            waiters.append(waiter)
            report()
            defer { hasTimer = true }
            return hasTimer ? .begun : .begunWithoutTimer
        }

        mutating func takeLate(at time: NIODeadline) -> (late: [Waiter], next: NIODeadline?) {
            let late = Array(waiters.prefix { $0.deadline <= time })
            waiters.removeFirst(late.count)
            report()
            hasTimer = !waiters.isEmpty
            return (late, waiters.first?.deadline)
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(_ limit: Int) {
        self.limit = limit
    }

    /// The number of permits that are taken or waited for, initially and after each change; a slow
    /// reader may miss some counts, but never the newest.
    package var counts: AsyncStream<Int> {
        let (counts, watcher) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            watcher.yield(state.count)
            state.watchers.append(watcher)
        }
        return counts
    }

    /// Takes a permit that must be returned with ``release()``; returns false if all are taken.
    package func acquire() -> Bool {
        state.withLock { $0.acquire(limit) }
    }

    /// Takes a permit like ``acquire()``, waiting for it if necessary; returns false after
    /// `timeout`.
    ///
    /// `timeout` is the same for all callers; the event loop measures it.
    package func acquire(within timeout: TimeAmount, on eventLoop: any EventLoop) async -> Bool {
        if acquire() { return true }
        // With a limit of 0, no permit would ever be returned.
        guard limit > 0 else { return false }
        return await withCheckedContinuation { turn in
            let waiter = Waiter(deadline: eventLoop.now + timeout, turn: turn)
            switch state.withLock({ $0.wait(waiter, limit: limit) }) {
            case .over: turn.resume(returning: true)
            case .begun: break
            case .begunWithoutTimer: turnAway(after: waiter.deadline, on: eventLoop)
            }
        }
    }

    package func release() {
        state.withLock { $0.release() }?.turn.resume(returning: true)
    }

    /// Rejects callers whose time is up, and sets the timer for the others.
    private func turnAway(after deadline: NIODeadline, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(deadline: deadline) { [self] in
            let (late, next) = state.withLock { $0.takeLate(at: deadline) }
            for waiter in late { waiter.turn.resume(returning: false) }
            if let next { turnAway(after: next, on: eventLoop) }
        }
    }

    /// Takes a permit that is returned with the last reference to it; nil if all are taken.
    package func permit() -> Permit? {
        acquire() ? Permit(of: self) : nil
    }
}
