import Foundation
public import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// A client for the REST API of an Azure notification hub.
///
/// ```swift
/// let client = try NotificationHubClient(
///     connectionString: ConnectionString(parsing: secret), hubName: HubName("news"))
/// let receipt = try await client.send(notification, to: TagExpression(Tag("username:alice")))
/// try await client.shutdown()
/// ```
///
/// A client must be shut down. It verifies every certificate, does not follow redirects, ignores
/// proxy variables in the environment, and limits the size of responses.
public final class NotificationHubClient: Sendable {
    /// The address of the namespace.
    public let endpoint: HubEndpoint

    /// The name of the hub.
    public let hubName: HubName

    let settings: HubClientSettings
    let encoder: SendEncoder
    let sendURL: URL
    let tokens: TokenProvider
    private let transport: HTTPTransport
    private let retrier: Retrier
    let instruments: HubInstruments
    /// The connections for bulk pushes, which are separate from all others.
    let pushLane: PushLane
    let logger: Logger
    let now: @Sendable () -> Date

    /// Creates a client for one hub, without connecting yet.
    ///
    /// - Parameters:
    ///   - secondary: a connection string for the same hub with another key; once the hub has
    ///     refused the first key, the client uses this key instead.
    ///   - hubName: the name of the hub; nil for the name in the connection string.
    ///   - logger: receives one line per request at trace level and failures at debug level,
    ///     without secrets, tags or messages.
    ///   - onSecondary: called once, when the client starts to use the secondary key.
    public convenience init(
        connectionString: ConnectionString, secondary: ConnectionString? = nil,
        hubName: HubName? = nil,
        settings: HubClientSettings = HubClientSettings(),
        logger: Logger = Logger(
            label: "NotificationHubs", factory: { _ in SwiftLogNoOpLogHandler() }),
        onSecondary: @escaping @Sendable () -> Void = {},
        instruments: HubInstruments = HubInstruments()
    ) throws(HubConfigurationError) {
        try self.init(
            connectionString: connectionString, secondary: secondary, hubName: hubName,
            settings: settings, logger: logger, onSecondary: onSecondary, now: { Date() },
            retrying: .live, instruments: instruments)
    }

    /// `retrying` provides the clock and the random numbers for delays between requests.
    init(
        connectionString: ConnectionString, secondary: ConnectionString? = nil, hubName: HubName?,
        settings: HubClientSettings, logger: Logger,
        onSecondary: @escaping @Sendable () -> Void = {}, now: @escaping @Sendable () -> Date,
        retrying: Retrier.Environment,
        instruments: HubInstruments = HubInstruments()
    ) throws(HubConfigurationError) {
        try settings.check()
        guard let hubName = hubName ?? connectionString.hubName else { throw .noHubName }
        guard secondary?.isOfHub(hubName, at: connectionString.endpoint) ?? true else {
            throw .secondaryOfAnotherHub
        }
        endpoint = connectionString.endpoint
        self.hubName = hubName
        self.settings = settings
        self.logger = logger
        self.now = now
        self.instruments = instruments
        retrier = Retrier(settings.retries, environment: retrying)
        encoder = SendEncoder(endpoint: endpoint, hubName: hubName, userAgent: settings.userAgent)
        guard let sendURL = URL(string: encoder.address) else { throw .invalidAddress }
        self.sendURL = sendURL
        tokens = TokenProvider(
            connectionString: connectionString, hubName: hubName, secondary: secondary,
            onSecondary: onSecondary, now: now)
        let tls = try TLSConfiguration.hub(trusting: settings.additionalTrustRoots)
        transport = HTTPTransport(
            settings: settings, tls: endpoint.scheme == .https ? tls : nil)
        pushLane = PushLane(
            endpoint: endpoint, encoder: encoder, tokens: tokens, settings: settings, tls: tls,
            logger: logger, instruments: instruments)
    }

    /// Closes all connections; requests in flight fail, so wait until they have finished.
    public func shutdown() async throws(HubError) {
        await pushLane.shutDown()
        do {
            try await transport.shutdown()
        } catch {
            throw HubError(notBegun: "shutdown", .alreadyShutDown)
        }
    }
}

extension NotificationHubClient: CustomStringConvertible, CustomReflectable {
    /// The hub's address.
    public var description: String { "NotificationHubClient(\(endpoint)/\(hubName))" }

    /// A mirror that shows only the hub's address.
    public var customMirror: Mirror {
        Mirror(self, children: ["endpoint": endpoint, "hubName": hubName])
    }
}

extension NotificationHubClient {
    /// Runs one operation, and retries it if that is safe and the policy allows it.
    func answer(to call: HubCall) async throws(HubError) -> HubAnswer {
        try await instruments.trace(call.operation) { () async throws(HubError) in
            try await retrier.run { () async throws(HubError) in
                try await instruments.measure(call.operation) { () async throws(HubError) in
                    try await attempt(call)
                }
            } again: { error in
                call.isRepeatable && (!call.answersOnce || error.hasHadNoEffect)
            }
        }
    }

    /// Runs one operation, and renews the token if the hub refuses it.
    private func attempt(_ call: HubCall) async throws(HubError) -> HubAnswer {
        let trackingID = UUID().uuidString.lowercased()
        guard let url = encoder.url(of: call) else {
            throw HubError(
                call, trackingID: trackingID, ending: .failed(.init(cause: .invalidRequest)),
                answer: nil)
        }
        let headers = encoder.headers(of: call, trackingID: trackingID)
        let request = SendRequest(
            trackingID: trackingID, headers: headers, body: call.body ?? ByteBuffer())
        let exchange = await exchange(
            request, method: call.method, at: url,
            bodyLimit: max(call.bodyLimit + 1, HTTPTransport.bodyLimit))
        switch exchange.result {
        case .success(let answer):
            guard call.accepts.contains(answer.status) else {
                logger.debug(
                    "The hub refused an operation",
                    metadata: ["tracking-id": "\(trackingID)", "status": "\(answer.status)"])
                throw HubError(
                    call, trackingID: trackingID,
                    ending: .answered(status: answer.status, retryAfter: answer.retryAfter),
                    answer: answer)
            }
            guard call.bodyLimit > 0 else { return answer }
            guard answer.body.count <= call.bodyLimit else {
                throw HubError(
                    call, answer: answer,
                    reason: "the response has more than \(call.bodyLimit) bytes")
            }
            guard answer.isComplete else { throw HubError(call, cutShort: answer) }
            guard !answer.secrets.areTold(by: answer.body) else {
                throw HubError(
                    call, answer: answer, reason: "the response contains the client's key or token")
            }
            return answer
        case .failure(let failure):
            let error = HubError(
                call, trackingID: trackingID, ending: .failed(failure), answer: nil)
            logger.debug(
                "The hub did not respond to an operation",
                metadata: ["tracking-id": "\(trackingID)", "reason": "\(error.reason)"])
            throw error
        }
    }

    /// Makes one request; if the hub refuses the token, repeats the request with a new token, then
    /// with the secondary key.
    ///
    /// The request timeout covers all of these requests. Returns the number of requests that were
    /// started.
    func exchange(
        _ request: SendRequest, method: HTTPMethod, at url: URL, bodyLimit: Int
    ) async -> (result: Result<HubAnswer, TransportFailure>, requests: Int) {
        let deadline = transport.deadline
        var token = tokens.token()
        var request = request
        request.headers.replaceOrAdd(name: "Authorization", value: token.authorization)
        var requests = 0
        do throws(TransportFailure) {
            var answer = try await transport.execute(
                request, method: method, at: url, bodyLimit: bodyLimit, by: deadline)
            requests = 1
            while answer.status == 401, requests <= tokens.renewals {
                logger.debug("The hub refused the token; signing a new one")
                token = tokens.token(replacing: token)
                request.headers.replaceOrAdd(name: "Authorization", value: token.authorization)
                answer = try await transport.execute(
                    request, method: method, at: url, bodyLimit: bodyLimit, by: deadline)
                requests += 1
            }
            answer.secrets = tokens.secrets
            return (.success(answer), requests)
        } catch {
            return (.failure(error), requests + (error.requestBegan ? 1 : 0))
        }
    }
}
