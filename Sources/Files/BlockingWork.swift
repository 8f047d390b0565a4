import Dispatch
import Synchronization

/// Runs work that may wait for a disk, a lock or another process on separate threads.
///
/// Swift has only one thread per core, so a waiting thread delays other tasks and, on a single
/// core, the whole program. Each piece of work has its own thread, so work that hangs does not
/// delay anything else.
package enum BlockingWork {
    /// Runs work on a separate thread and waits for its end, even in a cancelled task.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            onItsOwnThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Runs uninterruptible work, but stops waiting for it when the task is cancelled.
    ///
    /// The work does not begin if the task is already cancelled. Work that has already begun
    /// continues, and its result is dropped.
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
        // A serial queue is used for each piece of work, because only serial queues get more
        // threads than there are cores.
        DispatchQueue(label: "hubsend.blocking").async(execute: work)
    }
}

/// A wait until some work has ended or the task is cancelled.
private final class Wait<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case over
    }

    private let state = Mutex(State.new)

    /// Returns false and resumes the continuation if the task was already cancelled.
    func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isWanted = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWanted { continuation.resume(throwing: CancellationError()) }
        return isWanted
    }

    /// Only the first call has an effect.
    func end(_ result: Result<Value, any Error>) {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .waiting(let continuation) = before { continuation.resume(with: result) }
    }
}
