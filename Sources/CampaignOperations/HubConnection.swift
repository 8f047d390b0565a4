package import CampaignCore
import Foundation
package import Logging
package import NotificationHubs
import Settings
import Terminal

/// A hub that pushes can go to, with everything a run needs to know about it.
package struct HubConnection: Sendable {
    package let connectionString: ConnectionString
    package let name: HubName
    /// The identity by which runs at different hubs are told apart.
    package let identity: HubIdentity
    /// The setting that named the hub, as it is shown before a run asks.
    let setting: String
    /// This process, as others find it who work on the same runs.
    let process: WorkerProcess
    /// The connection string with the hub's other key, and the setting that gives it; nil: no other key is set.
    private(set) var secondary: (string: ConnectionString, setting: String)?
    /// How the hub sees the program.
    private let userAgent: String
    /// Certificate authorities to trust beside the system's, in PEM.
    package var trustRoots: [String] = []
    /// The proxy on the way to the hub; nil: no proxy.
    package var proxy: HubProxy?

    /// - Parameters:
    ///   - string: where the hub is, and the right to use it.
    ///   - name: its name.
    ///   - isEmbedded: whether the hub is inside this process; its port then changes each time.
    ///   - setting: the setting that named the hub.
    ///   - program: the program that connects.
    package init(
        _ string: ConnectionString, name: HubName, isEmbedded: Bool = false, setting: String,
        as program: HubCaller
    ) {
        connectionString = string
        self.name = name
        identity =
            isEmbedded
            ? HubIdentity(host: HubChoice.embeddedHost, name: name.rawValue)
            : HubIdentity(of: name, at: string.endpoint)
        self.setting = setting
        process = program.process
        userAgent = program.userAgent
    }

    /// Adds another key of the same hub, to be used once the hub refuses the first.
    ///
    /// - Parameters:
    ///   - string: the connection string with it.
    ///   - setting: which setting gives it.
    /// - Throws: ``OperationFault/otherHub(setting:first:)``.
    package mutating func take(
        secondary string: ConnectionString, from setting: String
    ) throws(OperationFault) {
        guard string.isOfHub(name, at: connectionString.endpoint) else {
            throw .otherHub(setting: setting, first: self.setting)
        }
        secondary = (string, setting)
    }

    /// The same hub with the other key alone; nil: no other key is set.
    var onlySecondary: HubConnection? {
        guard let secondary else { return nil }
        var connection = HubConnection(
            secondary.string, name: name, setting: secondary.setting,
            as: HubCaller(userAgent: userAgent, embeddedHub: ""))
        connection.trustRoots = trustRoots
        connection.proxy = proxy
        return connection
    }

    /// The same hub with the first key alone.
    var onlyFirst: HubConnection {
        var connection = self
        connection.secondary = nil
        return connection
    }

    /// What is said when the hub refuses the first key, before it is known whether it takes the other.
    var refusalOfFirst: String {
        """
        The hub refuses the key of \(setting), which has to be corrected. That of \(secondary?.setting ?? "") is used \
        from now on; if the hub refuses it too, both have to be.
        """
    }

    /// Whether pushes stay on this machine.
    package var isLoopback: Bool { connectionString.endpoint.isLoopback }

    /// Makes a client for the time of some work.
    ///
    /// - Parameters:
    ///   - concurrency: the most requests in flight.
    ///   - retries: which requests are made again; usually none, since the caller decides when to try again. An app that registers is told
    ///     at once.
    ///   - logger: where the client logs.
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `HubConfigurationError` when the client cannot be made.
    package func withClient<Value: Sendable>(
        concurrency: Int, retries: RetryPolicy = .none, logger: Logger,
        _ body: (NotificationHubClient) async throws -> Value
    ) async throws -> Value {
        let client = try NotificationHubClient(
            connectionString: connectionString, secondary: secondary?.string, hubName: name,
            settings: HubClientSettings(
                concurrency: concurrency, retries: retries, userAgent: userAgent,
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
    /// Asks on a terminal before pushes leave this machine; elsewhere it does not ask.
    ///
    /// - Parameters:
    ///   - lines: what would be sent, a line each.
    ///   - question: what is asked even if the hub is on this machine; nil: nothing is asked for such a hub.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``ConsentRefused`` when the answer is no, `CancellationError` when the task is cancelled.
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

/// How this program appears to hubs, and which hub it runs itself.
package struct HubCaller: Sendable {
    /// How a hub sees it.
    package let userAgent: String
    /// The name of the hub that the program runs inside itself.
    package let embeddedHub: String

    package init(userAgent: String, embeddedHub: String) {
        self.userAgent = userAgent
        self.embeddedHub = embeddedHub
    }

    /// This process, as others find it who work on the same runs.
    var process: WorkerProcess {
        let own = ProcessInfo.processInfo
        return WorkerProcess(
            host: own.hostName, number: Int(own.processIdentifier),
            version: userAgent.split(separator: "/").last.map(String.init) ?? "")
    }
}
