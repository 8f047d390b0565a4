import Synchronization

/// A value whose changes tasks can wait for.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isEnough: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var value: Value
        var nextWaiter = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock(\.value) }

    @discardableResult
    package func update<Result: Sendable, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, woken) = state.withLock { state in
            let result = Swift.Result<Result, Failure> { () throws(Failure) in
                try change(&state.value)
            }
            let value = state.value
            let woken = state.waiters.filter { $0.value.isEnough(value) }
            for number in woken.keys { state.waiters[number] = nil }
            return (result, woken.values.map(\.continuation))
        }
        for continuation in woken { continuation.resume() }
        return try result.get()
    }

    /// Waits until a condition holds, which must not use this object.
    package func wait(until isEnough: @escaping @Sendable (Value) -> Bool) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if isEnough(state.value) { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[number] = Waiter(isEnough: isEnough, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
