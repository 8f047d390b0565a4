package import Logging
package import ServiceLifecycle

extension ServiceGroup {
    /// Runs services until one ends, a graceful shutdown comes or the task is cancelled, which is
    /// graceful too.
    ///
    /// They end in reverse order.
    package static func serve(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], grace: Duration,
        logger: Logger
    ) async throws {
        // At debug level the group lists what its services are made of, which helps nobody.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .notice)
        var configuration = ServiceGroupConfiguration(services: services, logger: groupLogger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // A cancelled server logs an error and cuts requests off; the separate task turns
        // cancellation into a graceful end.
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}
