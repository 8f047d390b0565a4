package import Logging
package import ServiceLifecycle

/// Runs services for the time of a test, as a server would, but traps no signal for them.
///
/// - Parameters:
///   - services: what to run; they end in the opposite order.
///   - logger: where their group logs.
///   - test: the test; begins once they have begun.
/// - Returns: what the test returns.
/// - Throws: what the test throws, or a service.
package func withServices<Value: Sendable>(
    _ services: [any Service], logger: Logger, _ test: () async throws -> Value
) async throws -> Value {
    let (begun, begin) = AsyncStream.makeStream(of: Never.self)
    var configuration = ServiceGroupConfiguration(
        services: services + [LastService(begin: begin)], logger: logger)
    // A service that does not end in good order is cancelled, so that it fails its test instead of holding up all of them.
    configuration.maximumGracefulShutdownDuration = .seconds(60)
    let group = ServiceGroup(configuration: configuration)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { begin.finish() }
            try await group.run()
        }
        // A group that is asked to end before it has begun never does.
        for await _ in begun {}
        do {
            let value = try await test()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
    }
}

/// Says that the services before it have begun.
private struct LastService: Service {
    let begin: AsyncStream<Never>.Continuation

    func run() async throws {
        begin.finish()
        try await gracefulShutdown()
    }
}
