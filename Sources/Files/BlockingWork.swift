import Dispatch
import Synchronization

/// Work that may wait for a disk, a lock or another process, away from Swift's own threads.
///
/// Swift has one thread a core: one that waits holds up other tasks, on a single core the whole program, until
/// libdispatch adds another a second or two later, and it adds few. Each piece of work has a thread of
/// its own, so that one that hangs does not hold up another.
package enum BlockingWork {
    /// Runs work on a thread of its own, and waits for its end even in a cancelled task.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            onItsOwnThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Runs work that cannot be interrupted, and stops waiting for it when the task is cancelled.
    ///
    /// In a task that is cancelled already it does not begin. Work that has begun goes on, and its result is dropped.
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
        // Only serial queues get more threads than there are cores.
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

    /// - Returns: false when the task was cancelled before; the continuation was then resumed.
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
