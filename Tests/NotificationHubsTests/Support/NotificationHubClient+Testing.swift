import FoundationEssentials
import Logging

@testable import NotificationHubs

extension NotificationHubClient {
    /// Runs a client of the hub `news`, with timeouts long enough for a busy machine.
    static func with<Value>(
        _ connectionString: String, secondary: String? = nil, route: Route = .direct,
        concurrency: Int = 8,
        requestTimeout: Duration = HubClientSettings.patient.requestTimeout,
        connectTimeout: Duration = HubClientSettings.patient.connectTimeout,
        retries: RetryPolicy = .none, retrying: Retrier.Environment = .live,
        instruments: HubInstruments = HubInstruments(), trusting roots: [String] = [],
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        onSecondary: @escaping @Sendable () -> Void = {},
        now: @escaping @Sendable () -> Date = { Date() },
        _ use: (NotificationHubClient) async throws -> Value
    ) async throws -> Value {
        let connectionString = try ConnectionString(parsing: connectionString)
        let client = try NotificationHubClient(
            connectionString: connectionString,
            secondary: secondary.map { try ConnectionString(parsing: $0) },
            hubName: HubName("news"),
            settings: HubClientSettings(
                concurrency: concurrency, requestTimeout: requestTimeout,
                connectTimeout: connectTimeout, retries: retries, additionalTrustRoots: roots,
                proxy: route.proxy(to: connectionString)),
            logger: logger, onSecondary: onSecondary, now: now, retrying: retrying,
            instruments: instruments)
        do {
            let value = try await use(client)
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Runs a client of a scripted hub; without a script, each request gets the same response.
    static func with<Value>(
        answering answer: ScriptedAnswer = .accepted, script: ScriptedHub.Script? = nil,
        route: Route = .direct, concurrency: Int = 8,
        requestTimeout: Duration = HubClientSettings.patient.requestTimeout,
        retries: RetryPolicy = .none, instruments: HubInstruments = HubInstruments(),
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        now: @escaping @Sendable () -> Date = { Date() },
        _ use: (NotificationHubClient, ScriptedHub) async throws -> Value
    ) async throws -> Value {
        try await ScriptedHub.with(script: script ?? { _, _ in answer }) { hub in
            try await with(
                hub.connectionString(), route: route, concurrency: concurrency,
                requestTimeout: requestTimeout, retries: retries, instruments: instruments,
                logger: logger, now: now
            ) { client in try await use(client, hub) }
        }
    }

    func sendExample() async throws -> SendReceipt {
        try await send(.silent(), to: TagExpression(Tag("username:alice")))
    }
}

extension HubClientSettings {
    /// Settings with timeouts long enough for a busy machine.
    static let patient = HubClientSettings(
        requestTimeout: .seconds(120), connectTimeout: .seconds(120), retries: .none)
}

extension NativeNotification {
    static let secretText = "the-payload-is-private"
}

extension HubNotification where Self == NativeNotification {
    static func silent() throws -> NativeNotification {
        try NativeNotification(
            format: .apple,
            body: Array(
                #"{"aps":{"content-available":1},"id":"\#(NativeNotification.secretText)"}"#.utf8),
            headers: ["apns-push-type": "background", "apns-priority": "5"])
    }
}
