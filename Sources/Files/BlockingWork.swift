import Dispatch
import Synchronization

/// Work that may wait for a disk, a lock or another process, away from Swift's threads.
///
/// Swift has one thread a core, so a waiting one delays other tasks, on a single core the whole
/// program. Each piece of work has its own thread, so that a hanging one delays nothing else.
package enum BlockingWork {
    /// Runs work on a separate thread, and waits for its end even in a cancelled task.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            onItsOwnThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Runs uninterruptible work, and stops waiting for it when the task is cancelled.
    ///
    /// It does not begin in a cancelled task. Work that has begun continues, and its result is
    /// dropped.
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

/// A wait for work, until that has ended or the task is cancelled.
private final class Wait<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case over
    }

    private let state = Mutex(State.new)

    /// Returns false, after resuming the continuation, when the task was cancelled before.
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
