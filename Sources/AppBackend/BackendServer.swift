package import CampaignCore
import Files
package import FoundationEssentials
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// The app backend, where devices register and fetch the notifications that pushes refer to.
///
/// It installs no signal handlers. On cancellation or graceful shutdown, it stops accepting
/// connections, finishes open requests, and writes the last receipts and audit lines.
package final class BackendServer: Service {
    /// The time allowed for writing the last receipts and audit lines after a shutdown has cut off
    /// connections.
    private static let lastWrites = Duration.seconds(1)
    /// The maximum number of connections that the system queues; Linux allows 4,096 by default.
    private static let backlog = 4_096

    private let address: BackendAddress
    private let tls: TLSConfiguration?
    private let environment: BackendEnvironment
    private let services: [any Service]
    private let onReady: @Sendable (_ url: String) async -> Void

    /// Sets up a backend, which starts listening when it runs.
    ///
    /// The caller passes resolved values for the settings `listen` and `audit`. `host` has no
    /// brackets; `port` 0 picks a free port. The backend runs `audit` as a service, fetches token
    /// keys through `documents`, and calls `onReady` with its base URL once it listens. Outside
    /// tests, `random` must be cryptographically secure. Payloads, handles and credentials are
    /// never logged.
    package convenience init(
        settings: BackendSettings, host: String, port: Int,
        store: any NotificationStore & RegistrationStore & RunLedger,
        registrar: any DeviceRegistrar, sender: any PushSender, hub: HubIdentity, audit: AuditLog,
        documents: any DocumentSource,
        limits: BackendLimits = BackendLimits(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        logger: Logger, onReady: @escaping @Sendable (_ url: String) async -> Void = { _ in }
    ) async throws {
        let address = BackendAddress(host: host, port: port)
        guard 0...65_535 ~= port else { throw BackendError.invalidPort(port) }
        guard address.isLoopback || settings.tls != nil || !settings.proxies.isEmpty else {
            throw BackendError.plainBeyondLoopback(host: host)
        }
        let tls = try settings.tls.map {
            try ServerTLS.configuration(from: $0, now: now(), logger: logger)
        }
        let authenticator = try await Authenticator(
            settings: settings, documents: documents, logger: logger)
        let receipts = ReceiptWriter(
            store: store, limits: limits, clock: clock, now: now, logger: logger)
        let environment = BackendEnvironment(
            access: AccessControl(
                signIn: authenticator, challenges: authenticator.challenges,
                scheme: tls == nil ? .http : .https, proxies: settings.proxies,
                origins: Set(settings.origins.map(\.text))),
            store: store, registrar: registrar, sender: sender, hub: hub,
            allowedTags: settings.allowedTags, senders: Set(settings.senders), limits: limits,
            receipts: receipts, audit: audit,
            readiness: Readiness(
                store: store, receipts: receipts, audit: audit,
                fileProblem: { authenticator.fileProblem }, now: now, logger: logger),
            now: now, random: random, logger: logger)
        self.init(
            address: address, tls: tls, environment: environment, services: [authenticator],
            onReady: onReady)
    }

    init(
        address: BackendAddress, tls: TLSConfiguration?, environment: BackendEnvironment,
        services: [any Service] = [],
        onReady: @escaping @Sendable (_ url: String) async -> Void = { _ in }
    ) {
        self.address = address
        self.tls = tls
        self.environment = environment
        self.services = services
        self.onReady = onReady
    }

    /// Serves until cancellation or graceful shutdown; open requests then have a few seconds to
    /// finish.
    package func run() async throws {
        await OwnRunRecovery(store: environment.store, logger: environment.logger)
            .finishRuns(at: environment.now())
        do {
            // Connections end by themselves after the grace period; any other waiting work is then
            // cancelled.
            let application = EventLoopService(try application())
            try await ServiceGroup.serve(
                (writers + [application]).map { .init(service: $0) },
                grace: environment.limits.shutdownGrace + Self.lastWrites,
                logger: environment.logger)
        } catch {
            guard let problem = ListenError(error) else { throw error }
            throw BackendError(problem, of: address)
        }
    }

    /// The services in the order in which they start; they stop in reverse order, after the web
    /// application.
    var writers: [any Service] { [environment.audit, environment.receipts] + services }

    /// The web application, for the server and for tests without a socket.
    func application() throws -> Application<BackendResponder> {
        let limits = environment.limits
        let responder = BackendResponder(environment: environment)
        // How many connections are accepted between two rounds of requests; with NIO's default of
        // four, a rush of clients would wait for seconds.
        let acceptedAtOnce = max(1, limits.connections / 16)
        let server = BoundedHTTPServer(
            limits: limits.http, namesHostOfOldRequests: true,
            refusingHead: { isTooLarge, connection in
                let failure: BackendFailure =
                    isTooLarge
                    ? .headTooLarge(fields: limits.headers, bytes: limits.headerBytes)
                    : .malformed(reason: "The request is not valid HTTP/1.1.")
                responder.note(failure, peer: IPAddress(of: connection))
                return (failure.status, failure.body)
            },
            respondingDirectly: { [dates = DateField()] request, connection in
                var response = await responder.respond(
                    to: request, context: BackendContext(channel: connection))
                response.headers[.date] = dates.now
                return response
            }
        ) { request, byteCount, connection in
            guard byteCount > limits.bodyBytes else { return nil }
            let failure = BackendFailure.bodyTooLarge(limit: limits.bodyBytes)
            responder.note(failure, of: request.head, peer: IPAddress(of: connection))
            var response = Response(failure)
            response.headers[.connection] = "close"
            responder.environment.access.letPagesRead(&response.headers, of: request.head)
            return response
        }
        return Application(
            responder: responder, server: try tls.map { try server.secure($0) } ?? server.plain,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                backlog: Self.backlog,
                // The limit is checked before a whole batch is accepted.
                availableConnectionsDelegate: .maximum(
                    limits.connections - acceptedAtOnce + 1, logger: environment.logger)),
            onServerRunning: { [address, tls, onReady] channel in
                // This fails only if the port has already been closed.
                _ = try? await channel.setOption(
                    .maxMessagesPerRead, value: UInt(acceptedAtOnce)
                ).get()
                let bound = BackendAddress(
                    host: address.host, port: channel.localAddress?.port ?? address.port)
                await onReady(bound.url(isSecure: tls != nil))
            },
            logger: environment.logger)
    }
}

struct BackendAddress: Hashable, Sendable {
    /// An IPv6 address has no brackets.
    let host: String
    /// 0 picks a free port.
    let port: Int

    var isLoopback: Bool { LoopbackHost.contains(host) }

    /// The base URL, without a trailing slash.
    func url(isSecure: Bool) -> String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(host):\(port)"
    }
}

package enum BackendError: Error, Hashable, Sendable {
    /// The address would accept unencrypted credentials from a network.
    case plainBeyondLoopback(host: String)
    case invalidPort(Int)
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String, advice: String)
}

extension BackendError {
    fileprivate init(_ problem: ListenError, of address: BackendAddress) {
        switch problem {
        case .portInUse:
            self = .portInUse(host: address.host, port: address.port)
        case .refused(let number):
            self = .cannotListen(
                host: address.host, port: address.port, reason: "\(SystemError(number: number))",
                advice: problem.advice)
        case .unknownHost:
            self = .cannotListen(
                host: address.host, port: address.port,
                reason: "the host name cannot be resolved", advice: problem.advice)
        }
    }
}

extension BackendError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .plainBeyondLoopback(let host):
            """
            The backend cannot listen on \(ClientText.quoted(host)) without TLS, because passwords \
            and tokens would cross the network unencrypted. In the config, set backend.tls to a \
            certificate or list your proxy in backend.proxies; or listen on 127.0.0.1.
            """
        case .invalidPort(let port):
            "The backend cannot listen on port \(port). Use a port from 1 to 65535, or 0 for any free port."
        case .portInUse(let host, let port):
            """
            The backend cannot listen on \(host) port \(port): the port is in use. \
            Stop the other program or use another port (0 picks a free one).
            """
        case .cannotListen(let host, let port, let reason, let advice):
            """
            The backend cannot listen on \(ClientText.quoted(host)) port \(port): \(reason); \(advice).
            """
        }
    }
}
