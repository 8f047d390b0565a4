package import Logging
package import ServiceLifecycle

/// Runs services during a test, without traps for signals; they end in reverse order.
package func withServices<Value: Sendable>(
    _ services: [any Service], logger: Logger, _ test: () async throws -> Value
) async throws -> Value {
    let (begun, begin) = AsyncStream.makeStream(of: Never.self)
    var configuration = ServiceGroupConfiguration(
        services: services + [LastService(begin: begin)], logger: logger)
    // A hanging service is cancelled, so that it fails only its own test.
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

private struct LastService: Service {
    let begin: AsyncStream<Never>.Continuation

    func run() async throws {
        begin.finish()
        try await gracefulShutdown()
    }
}
