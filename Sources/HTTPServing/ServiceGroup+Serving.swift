package import Logging
package import ServiceLifecycle

extension ServiceGroup {
    /// Runs services until one of them ends, a graceful shutdown begins, or the task is cancelled,
    /// which also shuts them down gracefully.
    ///
    /// The services stop in reverse order.
    package static func serve(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], grace: Duration,
        logger: Logger
    ) async throws {
        // At debug level, the group would log the contents of its services.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .notice)
        var configuration = ServiceGroupConfiguration(services: services, logger: groupLogger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // A cancelled server would log an error and cut off requests; the separate task turns
        // cancellation into a graceful shutdown.
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}
