package import Logging
package import ServiceLifecycle

/// Runs services during a test without handling signals, and stops them in reverse order.
package func withServices<Value: Sendable>(
    _ services: [any Service], logger: Logger, _ test: () async throws -> Value
) async throws -> Value {
    let (begun, begin) = AsyncStream.makeStream(of: Never.self)
    var configuration = ServiceGroupConfiguration(
        services: services + [LastService(begin: begin)], logger: logger)
    // A hanging service is cancelled, so only its own test fails.
    configuration.maximumGracefulShutdownDuration = .seconds(60)
    let group = ServiceGroup(configuration: configuration)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { begin.finish() }
            try await group.run()
        }
        // A group that is asked to stop before it has started never stops.
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
