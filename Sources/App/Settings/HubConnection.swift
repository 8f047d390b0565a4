import CampaignCore
import Files
import Foundation
import Logging
import NotificationHubs

/// A hub to send to, with everything a run needs to know about it.
struct HubConnection: Sendable {
    let connectionString: ConnectionString
    let name: HubName
    /// Distinguishes runs at different hubs.
    let identity: HubIdentity
    /// The setting that named the hub, which is shown before a run asks for confirmation.
    let setting: String
    /// This process, as other processes that work on the same runs see it.
    let process: WorkerProcess
    /// The connection string with the hub's second key, if set, and the setting that it comes from.
    private(set) var secondary: (string: ConnectionString, setting: String)?
    /// Certificate authorities in PEM that are trusted in addition to the system's.
    var trustRoots: [String] = []
    var proxy: HubProxy?

    /// - Parameter isEmbedded: whether the hub is in this process, with a different port each time.
    init(
        _ string: ConnectionString, name: HubName, isEmbedded: Bool = false, setting: String
    ) {
        connectionString = string
        self.name = name
        identity =
            isEmbedded
            ? HubIdentity(host: HubIdentity.embeddedHost, name: name.rawValue)
            : HubIdentity(of: name, at: string.endpoint)
        self.setting = setting
        process = .this
    }

    /// Adds a second key of the same hub, which is used if the hub refuses the first key.
    mutating func add(
        secondary string: ConnectionString, from setting: String
    ) throws(Refused) {
        guard string.isOfHub(name, at: connectionString.endpoint) else {
            throw Refused(
                """
                \(setting) and \(self.setting) name different hubs. During key rotation, both must name the same hub. \
                Correct one of them, or unset \(setting).
                """)
        }
        secondary = (string, setting)
    }

    /// The same hub with only the second key, if one is set.
    var onlySecondary: HubConnection? {
        guard let secondary else { return nil }
        var connection = HubConnection(
            secondary.string, name: name, setting: secondary.setting)
        connection.trustRoots = trustRoots
        connection.proxy = proxy
        return connection
    }

    /// The same hub with only the first key.
    var onlyFirst: HubConnection {
        var connection = self
        connection.secondary = nil
        return connection
    }

    /// The warning after the hub has refused the first key and before the second is tried.
    var refusalOfFirst: String {
        """
        The hub refused the key in \(setting), so hubsend now uses the one in \(secondary?.setting ?? ""). Correct \
        the first key; if the hub refuses the second key too, correct both.
        """
    }

    private var isEmbedded: Bool { identity.host == HubIdentity.embeddedHost }

    /// Whether the hub is on this machine.
    var isLoopback: Bool { connectionString.endpoint.isLoopback }

    /// Creates a client for the duration of some work.
    ///
    /// A low limit on open files reduces the number of concurrent requests. By default, the client
    /// does not retry, because most callers retry themselves.
    func withClient<Value: Sendable>(
        concurrency: Int, retries: RetryPolicy = .none, logger: Logger,
        _ body: (NotificationHubClient) async throws -> Value
    ) async throws -> Value {
        let fitting = try OpenFiles.connections(atMost: concurrency, each: isEmbedded ? 2 : 1)
        if fitting < concurrency {
            logger.notice(
                """
                Only \(fitting) of \(concurrency) requests can be in flight at once. \
                \(SystemLimit.openFiles(OpenFiles.limit).remedy).
                """)
        }
        let client = try NotificationHubClient(
            connectionString: connectionString, secondary: secondary?.string, hubName: name,
            settings: HubClientSettings(
                concurrency: fitting, retries: retries, userAgent: Hubsend.userAgent,
                additionalTrustRoots: trustRoots, proxy: proxy),
            logger: logger,
            onSecondary: { [refusalOfFirst] in logger.warning("\(refusalOfFirst)") })
        let value: Value
        do {
            value = try await body(client)
        } catch {
            await shutDown(client, logger)
            throw error
        }
        await shutDown(client, logger)
        return value
    }

    private func shutDown(_ client: NotificationHubClient, _ logger: Logger) async {
        do {
            try await client.shutdown()
        } catch {
            logger.warning(
                "The connections to the hub could not be closed", metadata: ["error": "\(error)"])
        }
    }
}

extension HubConnection {
    /// Asks for confirmation on a terminal before pushes leave this machine.
    ///
    /// If `question` is not nil, it is asked even if the hub is on this machine.
    func askForConsent(
        to lines: [String], by question: String? = nil, invocation: Invocation
    ) async throws {
        guard question != nil || !isLoopback, !lines.isEmpty else { return }
        let hub = "Hub \(name.rawValue) at \(connectionString.endpoint.host), named by \(setting):"
        try await Question.ask(
            question ?? "Send?", after: [hub] + lines.map { "  " + $0 },
            otherwise: "Nothing was sent.",
            invocation)
    }
}

extension WorkerProcess {
    /// This process, as other processes that work on the same runs see it.
    static var this: WorkerProcess {
        let own = ProcessInfo.processInfo
        return WorkerProcess(
            host: own.hostName, number: Int(own.processIdentifier), version: Hubsend.version)
    }
}
