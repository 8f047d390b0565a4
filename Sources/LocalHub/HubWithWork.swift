/// A local hub and the work that uses it; when one ends, so does the other.
package enum HubWithWork {
    /// Runs a hub until the task is cancelled; calls its closure once the hub is listening.
    package typealias Hub =
        @Sendable (_ onReady: @escaping @Sendable (LocalHubAddress) -> Void) async throws -> Void

    package struct HubFailure: Error {
        /// The error of the hub; nil if it stopped without an error.
        package let cause: (any Error)?
    }

    /// Runs the hub and the work; both have ended when this returns.
    ///
    /// - Throws: the error of the work; the error of the hub if it could not listen; ``HubFailure``
    ///   if the hub failed later.
    package static func run(
        _ hub: @escaping Hub, _ work: @escaping @Sendable (LocalHubAddress) async throws -> Int32,
        onTrouble: (any Error) -> Void = { _ in }
    ) async throws -> Int32 {
        let (addresses, address) = AsyncStream.makeStream(of: LocalHubAddress.self)
        return try await withThrowingTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                defer { address.finish() }
                do {
                    try await hub { address.yield($0) }
                } catch {
                    return .hub(error)
                }
                return .hub(nil)
            }
            guard let listening = await addresses.first(where: { _ in true }) else {
                guard case .hub(let error?) = try await tasks.next() else {
                    throw LocalHubError.endedEarly
                }
                throw error
            }
            tasks.addTask { .work(try await work(listening)) }
            var result: Int32?
            while let end = try await tasks.next() {
                switch end {
                case .work(let value):
                    result = value
                    tasks.cancelAll()
                case .hub(let error):
                    if result == nil { throw HubFailure(cause: error) }
                    if let error { onTrouble(error) }
                }
            }
            guard let result else { throw CancellationError() }
            return result
        }
    }

    private enum End: Sendable {
        case hub((any Error)?)
        case work(Int32)
    }
}
