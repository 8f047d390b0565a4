import Foundation
import HTTPServing
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle

/// A local notification hub that supports every operation of the real service and stores the pushes
/// to each device.
///
/// It does not install signal handlers; it stops when its task is cancelled or its service group
/// shuts down.
package final class LocalHubServer: Service {
    private let configuration: LocalHubConfiguration
    private let logger: Logger
    private let hub: Hub
    private let saver: StateSaver?
    private let tls: ServerTLS?
    private let onReady: @Sendable (LocalHubAddress) async -> Void

    /// Creates a hub; `onReady` is called once the hub listens on all its ports.
    package init(
        configuration: LocalHubConfiguration, logger: Logger,
        onReady: @escaping @Sendable (LocalHubAddress) async -> Void = { _ in }
    ) throws(LocalHubError) {
        try configuration.check()
        tls =
            if let tls = configuration.tls {
                try ServerTLS(
                    tls.identity, host: configuration.host, at: configuration.now(), logger: logger)
            } else {
                nil
            }
        let namespace = HubNamespace(
            rules: configuration.rules, limits: configuration.limits)
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

    /// Serves requests until the task is cancelled or the hub shuts down; requests in progress then
    /// have a few seconds to finish.
    package func run() async throws {
        do {
            try await serve()
        } catch {
            do {
                try await saver?.finish()
            } catch let unsaved {
                logger.error(
                    "The last changes could not be saved.", metadata: ["error": "\(unsaved)"])
            }
            throw error
        }
        try await saver?.finish()
    }

    private func serve() async throws {
        // If the hub cannot listen on one port, the other port shuts down cleanly.
        let services = ports.map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        try await ServiceGroup.serve(
            services, grace: configuration.limits.shutdownGrace, logger: logger)
    }

    /// The pushes that reached the devices of a user, oldest first.
    package func received(by user: String) async -> [ReceivedPush] {
        pushes(for: user).filter { $0.outcome == .success }
    }

    /// The pushes to a user's devices that a push service refused, oldest first.
    package func refused(for user: String) async -> [ReceivedPush] {
        pushes(for: user).filter { $0.outcome != .success }
    }

    package var counts: LocalHubCounts {
        hub.store.update { $0.counts }
    }

    /// The number of open push streams and waiting requests.
    var listenerCount: Int {
        hub.store.update { $0.listeners.count }
    }

    /// The number of open event streams and waiting requests, now and after each change.
    var streamCounts: AsyncStream<Int> { hub.environment.streams.counts }

    var endedJobs: AsyncStream<String> { hub.environment.jobs.ended }

    var saved: SavedState { hub.environment.namespace.saved }

    var application: Application<HubResponder> { plainApplication(OpenPorts(awaitsTLS: false)) }

    private var ports: [HubPort] {
        let open = OpenPorts(awaitsTLS: tls != nil)
        var ports = [
            HubPort(
                application: plainApplication(open), host: configuration.host,
                port: configuration.port)
        ]
        if let tls, let port = configuration.tls?.port {
            ports.append(
                HubPort(
                    application: makeApplication(
                        server.secure(tls.context) { [hub] request in
                            hub.refusal(ofLargeHead: request.head)
                        }, on: port, isTLS: true, open),
                    host: configuration.host, port: port))
        }
        return ports
    }

    private var server: BoundedHTTPServer {
        BoundedHTTPServer(limits: configuration.limits.http) { [hub] request, bytes, _ in
            hub.fault(inBodyOf: request.head, bytes: bytes).map {
                hub.refusal($0, to: request.head)
            }
        }
    }

    /// The plain HTTP application, which also runs the background work.
    private func plainApplication(_ open: OpenPorts) -> Application<HubResponder> {
        var application = makeApplication(
            server.plain, on: configuration.port, isTLS: false, open)
        application.addServices(
            ScheduledSendService(environment: hub.environment),
            JobService(environment: hub.environment))
        if let saver {
            application.addServices(StateSavingService(saver: saver, sleep: configuration.sleep))
        }
        return application
    }

    private func makeApplication(
        _ server: HTTPServerBuilder, on port: Int, isTLS: Bool, _ open: OpenPorts
    ) -> Application<HubResponder> {
        let limits = configuration.limits
        return Application(
            responder: HubResponder(hub: hub, logger: logger),
            server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: port),
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { [configuration, onReady, authorityPEM = tls?.authorityPEM] channel in
                let port = channel.localAddress?.port ?? port
                guard let ports = open.opened(port, isTLS: isTLS) else { return }
                await onReady(
                    LocalHubAddress(
                        host: configuration.host, port: ports.http, tlsPort: ports.tls,
                        authorityPEM: authorityPEM, hubName: configuration.hubName))
            },
            logger: logger)
    }

    private static func restore(
        _ namespace: HubNamespace, from file: StateFile
    ) throws(LocalHubError) {
        guard let saved = try file.read() else { return }
        do {
            try namespace.restore(saved)
        } catch {
            // The detail is a full sentence, but here it becomes part of another sentence.
            let detail = error.detail ?? "the hub cannot load it"
            throw .stateFileDamaged(
                file.path, reason: detail.hasSuffix(".") ? String(detail.dropLast()) : detail)
        }
    }

    private func pushes(for user: String) -> [ReceivedPush] {
        hub.store.update { $0.pushes(to: .user(user)) }.map(\.kept.push)
    }
}

/// Totals since the hub started, including pushes that it has dropped.
package struct LocalHubCounts: Sendable, Hashable, Encodable {
    private enum CodingKeys: String, CodingKey {
        case sends, arrived, refused, cleared
        case withoutTarget = "without_target"
    }

    package var sends = 0
    package var arrived = 0
    package var refused = 0
    /// The number of sends that matched no device.
    package var withoutTarget = 0
    package var cleared = 0
    package var devices = 0
}
