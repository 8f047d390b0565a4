import Dispatch
import Synchronization

/// Work that may wait for a disk, a lock or another process, away from Swift's own threads.
///
/// Of those there are as few as cores: one that waits holds up everything else, on one core the whole program, until
/// libdispatch lends another a second or two later, and it lends only as many again. Each piece of work has a thread of
/// its own, so that one which hangs holds up no other either.
package enum BlockingWork {
    /// Has work done, and waits for its end also in a cancelled task.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            onItsOwnThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Has work done that nothing can end, and waits for it no longer than the task lives.
    ///
    /// In a task that is cancelled before, it is not begun; what is cancelled later goes on, and what it returns is dropped.
    ///
    /// - Parameter work: what to do, such as to wait for a lock.
    /// - Throws: what it throws; `CancellationError` as soon as the task is cancelled.
    package static func runUnlessCancelled<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let wait = Wait<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard wait.begin(continuation) else { return }
                onItsOwnThread { wait.end(Result(catching: work)) }
            }
        } onCancel: {
            wait.end(.failure(CancellationError()))
        }
    }

    private static func onItsOwnThread(_ work: @escaping @Sendable () -> Void) {
        // Only queues that do one thing after another get more threads than there are cores.
        DispatchQueue(label: "hubsend.blocking").async(execute: work)
    }
}

/// Who waits for a piece of work, until it has ended or nobody wants it any more.
private final class Wait<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case over
    }

    private let state = Mutex(State.new)

    /// - Returns: false when the task was cancelled before, of which it has been told.
    func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isWanted = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWanted { continuation.resume(throwing: CancellationError()) }
        return isWanted
    }

    /// Only the first end counts.
    func end(_ result: Result<Value, any Error>) {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .waiting(let continuation) = before { continuation.resume(with: result) }
    }
}
