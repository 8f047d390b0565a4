package import Logging

/// Runs a local hub for as long as a piece of work takes, on a free port unless the configuration names one.
///
/// The hub has shut down when this returns, also when the work throws or the task is cancelled.
///
/// - Parameters:
///   - configuration: what the hub is like.
///   - logger: where the hub logs.
///   - body: the work; gets the hub's address, and the hub to ask it what arrived.
/// - Throws: what the work throws; `LocalHubError` when the hub cannot run, or the hub's own error when
///   the work succeeded all the same. If both fail, the work's error is thrown and the hub's is logged.
package func withLocalHub<Value>(
    configuration: LocalHubConfiguration, logger: Logger,
    body: (LocalHubAddress, LocalHubServer) async throws -> Value
) async throws -> Value {
    let (addresses, ready) = AsyncStream.makeStream(of: LocalHubAddress.self)
    let server = try LocalHubServer(configuration: configuration, logger: logger) { address in
        ready.yield(address)
    }
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { ready.finish() }
            try await server.run()
        }
        guard let address = await addresses.first(where: { _ in true }) else {
            try await tasks.waitForAll()
            try Task.checkCancellation()
            throw LocalHubError.endedEarly
        }
        let value: Value
        do {
            value = try await body(address, server)
        } catch {
            tasks.cancelAll()
            do {
                try await tasks.waitForAll()
            } catch let hubError {
                logger.error("The local hub failed too.", metadata: ["error": "\(hubError)"])
            }
            throw error
        }
        tasks.cancelAll()
        try await tasks.waitForAll()
        return value
    }
}
