import LocalHub
import Terminal

/// A local hub and what is done with it; whichever ends first ends the other.
enum HubWithWork {
    /// Runs a hub until it is cancelled; calls what it gets once the hub listens.
    typealias Hub =
        @Sendable (_ onReady: @escaping @Sendable (LocalHubAddress) -> Void) async throws -> Void

    /// Runs both; both have ended when this returns.
    ///
    /// - Parameters:
    ///   - hub: the hub.
    ///   - work: begins when the hub listens.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; the hub's error when it could not listen; ``CommandEnd``
    ///   when it failed later.
    static func run(
        _ hub: @escaping Hub, _ work: @escaping @Sendable (LocalHubAddress) async throws -> Int32
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
                    let why = error.map { FailureTranslation.end(for: $0).message }
                    if result == nil {
                        throw CommandEnd(
                            .tryAgain,
                            "The hub failed, so the command was ended: \(why ?? "it has stopped.")")
                    }
                    if let why { Console.complain("hubsend: The hub did not end well: \(why)") }
                }
            }
            guard let result else { throw CancellationError() }
            return result
        }
    }

    /// What has ended.
    private enum End: Sendable {
        case hub((any Error)?)
        case work(Int32)
    }
}
