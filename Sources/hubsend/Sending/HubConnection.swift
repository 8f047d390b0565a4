import CampaignCore
import Logging
import NotificationHubs
import Settings
import Terminal

/// A hub that pushes can go to, with everything a run needs to know about it.
struct HubConnection: Sendable {
    let connectionString: ConnectionString
    let name: HubName
    /// What runs are told apart by.
    let identity: HubIdentity
    /// Which setting named it, as it is shown before a run asks.
    let setting: String
    /// Certificate authorities to trust beside the system's, in PEM.
    var trustRoots: [String] = []
    /// The proxy on the way to it; nil for none.
    var proxy: HubProxy?

    /// Whether pushes stay on this machine.
    var isLoopback: Bool { connectionString.endpoint.isLoopback }

    /// Makes a client for the time of some work.
    ///
    /// - Parameters:
    ///   - concurrency: the most requests in flight.
    ///   - logger: where the client logs.
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `HubConfigurationError` when the client cannot be made.
    func withClient<Value: Sendable>(
        concurrency: Int, logger: Logger, _ body: (NotificationHubClient) async throws -> Value
    ) async throws -> Value {
        let client = try NotificationHubClient(
            connectionString: connectionString, hubName: name,
            settings: HubClientSettings(
                concurrency: concurrency, userAgent: Hubsend.userAgent,
                additionalTrustRoots: trustRoots, proxy: proxy),
            logger: logger)
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
    /// Asks on a terminal before pushes leave this machine; elsewhere, and for a hub on this machine, it does not ask.
    ///
    /// - Parameters:
    ///   - lines: what would be sent, a line each.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``CommandEnd`` when the answer is no, `CancellationError` when the task is cancelled.
    func askForConsent(to lines: [String], invocation: Invocation) async throws {
        guard !isLoopback, !lines.isEmpty else { return }
        let hub = "Hub \(name.rawValue) at \(connectionString.endpoint.host), named by \(setting):"
        try await Question.ask(
            "Send?", after: [hub] + lines.map { "  " + $0 }, otherwise: "Nothing was sent.",
            invocation)
    }
}
