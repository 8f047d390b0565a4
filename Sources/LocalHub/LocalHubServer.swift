import Foundation
import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// A local notification hub over plain HTTP: answers every operation of the real one but jobs, and keeps what each
/// device received.
///
/// It installs no signal handlers; it ends when its task is cancelled, or when the service group that runs
/// it shuts down gracefully.
package final class LocalHubServer: Service {
    private let configuration: LocalHubConfiguration
    private let logger: Logger
    private let hub: Hub
    private let saver: StateSaver?
    private let onReady: @Sendable (LocalHubAddress) async -> Void

    /// Makes a hub; it listens once it is run.
    ///
    /// - Parameters:
    ///   - configuration: what the hub is like.
    ///   - logger: where the server logs.
    ///   - onReady: called once when the hub listens, with the port that it got.
    /// - Throws: `LocalHubError` when the configuration cannot work, such as a host that is not loopback, or the
    ///   state file cannot be read.
    package init(
        configuration: LocalHubConfiguration, logger: Logger,
        onReady: @escaping @Sendable (LocalHubAddress) async -> Void = { _ in }
    ) throws(LocalHubError) {
        try configuration.check()
        let namespace = HubNamespace(limits: configuration.limits)
        if let path = configuration.stateFile {
            let file = try StateFile(path: path)
            try Self.restore(namespace, from: file)
            saver = StateSaver(of: namespace, in: file, logger: logger)
        } else {
            saver = nil
        }
        do {
            hub = try Hub(configuration, namespace: namespace)
        } catch {
            throw .tooManyDevices(limit: configuration.limits.devices)
        }
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
    }

    /// Serves until the task is cancelled or a graceful shutdown comes; requests then have a few seconds.
    ///
    /// - Throws: `LocalHubError` when the port cannot be listened on, or what changed last cannot be kept.
    package func run() async throws {
        do {
            try await serve()
        } catch {
            do {
                try await saver?.finish()
            } catch let unsaved {
                logger.error("The last changes are lost.", metadata: ["error": "\(unsaved)"])
            }
            throw error
        }
        try await saver?.finish()
    }

    private func serve() async throws {
        // At debug level the group lists what its services are made of, which says nothing to anybody.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .notice)
        var group = ServiceGroupConfiguration(services: [application], logger: groupLogger)
        group.maximumGracefulShutdownDuration = configuration.limits.shutdownGrace
        let services = ServiceGroup(configuration: group)
        // A cancelled server logs its own cancellation as an error and cuts requests off; the task of its own
        // keeps cancellation from it, and turns it into the graceful end.
        let serving = Task { try await services.run() }
        do {
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                Task { await services.triggerGracefulShutdown() }
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw LocalHubError.portInUse(host: configuration.host, port: configuration.port)
        } catch let error as IOError {
            throw LocalHubError.cannotListen(
                host: configuration.host, port: configuration.port,
                reason: SystemReason.text(of: error.errnoCode),
                advice: Self.advice(on: error.errnoCode))
        } catch is SocketAddressError.UnknownHost {
            throw LocalHubError.cannotListen(
                host: configuration.host, port: configuration.port,
                reason: "no address is known for that host",
                advice: "use an address of this machine")
        }
    }

    private static func advice(on errorNumber: Int32) -> String {
        switch errorNumber {
        case EADDRNOTAVAIL: "use an address of this machine"
        case EACCES: "use a port from 1024, or 0 for a free one"
        default: "use another address or port"
        }
    }

    /// The pushes that reached a user's devices and are still kept, oldest first.
    ///
    /// - Parameter user: the user's name: the devices with the tag `username:<user>` or this user id.
    /// - Returns: the pushes.
    package func received(by user: String) async -> [ReceivedPush] {
        pushes(for: user).filter { $0.outcome == .success }
    }

    /// The pushes for a user's devices that a push service refused and that are still kept, oldest first.
    ///
    /// - Parameter user: the user's name: the devices with the tag `username:<user>` or this user id.
    /// - Returns: the pushes.
    package func refused(for user: String) async -> [ReceivedPush] {
        pushes(for: user).filter { $0.outcome != .success }
    }

    /// What the hub has done since it was made.
    package var counts: LocalHubCounts {
        hub.store.update { $0.counts }
    }

    /// How many event streams about the hub's devices are open.
    var listenerCount: Int {
        hub.store.update { $0.listeners.count }
    }

    /// What a state file would keep now.
    var saved: SavedState {
        hub.environment.namespace.saved
    }

    /// The web application, for the server and for tests that need no socket.
    var application: Application<HubResponder> {
        let limits = configuration.limits
        var application = Application(
            responder: HubResponder(hub: hub, bodyLimit: limits.bodyBytes, logger: logger),
            server: BoundedHTTPServer(limits: limits) { [hub] request in
                hub.refusal(.bodyTooLarge(limit: limits.bodyBytes), to: request.head)
            }.builder,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { [configuration, onReady] channel in
                await onReady(
                    LocalHubAddress(
                        host: configuration.host,
                        port: channel.localAddress?.port ?? configuration.port,
                        hubName: configuration.hubName))
            },
            logger: logger)
        application.addServices(ScheduledSendService(environment: hub.environment))
        if let saver {
            application.addServices(StateSavingService(saver: saver, sleep: configuration.sleep))
        }
        return application
    }

    private static func restore(
        _ namespace: HubNamespace, from file: StateFile
    ) throws(LocalHubError) {
        guard let saved = try file.read() else { return }
        do {
            try namespace.restore(saved)
        } catch {
            throw .stateFileDamaged(
                file.path, reason: error.detail ?? "the hub cannot take what is in it")
        }
    }

    private func pushes(for user: String) -> [ReceivedPush] {
        hub.store.update { $0.devices(of: user) }.flatMap(\.mailbox.entries)
            .sorted { $0.sequence < $1.sequence }.map(\.push)
    }
}
