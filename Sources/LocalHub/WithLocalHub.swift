package import Logging

/// Runs a local hub while some work is done; the hub has shut down when this returns.
///
/// - Throws: the error of the work or, if it succeeded, the error of the hub. If both fail, the
///   error of the hub is logged.
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
                logger.error("The local hub also failed.", metadata: ["error": "\(hubError)"])
            }
            throw error
        }
        tasks.cancelAll()
        try await tasks.waitForAll()
        return value
    }
}
