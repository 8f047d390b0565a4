package import Logging
package import ServiceLifecycle

extension ServiceGroup {
    /// Runs the services of a server until one ends, a graceful shutdown comes or the task is
    /// cancelled, which is a graceful shutdown too.
    ///
    /// - Parameters:
    ///   - services: what to run; they end in the opposite order.
    ///   - grace: how long a graceful shutdown may take.
    ///   - logger: where it is told what went wrong.
    /// - Throws: what a service throws.
    package static func serve(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], grace: Duration,
        logger: Logger
    ) async throws {
        // At debug level the group lists what its services are made of, which says nothing to
        // anybody.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .notice)
        var configuration = ServiceGroupConfiguration(services: services, logger: groupLogger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // A cancelled server logs its own cancellation as an error and cuts requests off; the task
        // of its own keeps cancellation from it, and turns it into the graceful end.
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}
