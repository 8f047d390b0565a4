/// How a client uses the network.
///
/// ```swift
/// let settings = HubClientSettings(
///     concurrency: 16, requestTimeout: .seconds(5), additionalTrustRoots: [localAuthority])
/// let client = try NotificationHubClient(connectionString: secret, settings: settings)
/// ```
public struct HubClientSettings: Sendable, Hashable {
    /// The `User-Agent` when nothing else is said.
    public static let defaultUserAgent = "hubsend/0.1"

    /// The most requests in flight, and so connections, 1 to 1,024.
    public var concurrency: Int

    /// The time for a whole request with its answer, over 0 and up to 5 minutes.
    public var requestTimeout: Duration

    /// The time for making a connection, over 0 and up to 5 minutes.
    public var connectTimeout: Duration

    /// The program that sends, as the `User-Agent` header has it: `name/version`.
    public var userAgent: String

    /// Certificates, in PEM, to trust in addition to the system's.
    ///
    /// They are for a proxy, or a local hub with an authority of its own. Checking cannot be
    /// switched off.
    public var additionalTrustRoots: [String]

    /// The HTTP proxy that everything goes through; nil for none.
    ///
    /// None is taken from the environment.
    public var proxy: HubProxy?

    /// Chooses how a client uses the network.
    ///
    /// - Parameters:
    ///   - concurrency: the most requests in flight, 1 to 1,024.
    ///   - requestTimeout: the time for a whole request with its answer, over 0 and up to 5
    ///     minutes.
    ///   - connectTimeout: the time for making a connection, over 0 and up to 5 minutes.
    ///   - userAgent: the program that sends, as `name/version` in printable ASCII.
    ///   - additionalTrustRoots: certificates, in PEM, to trust in addition to the system's.
    ///   - proxy: the HTTP proxy that everything goes through; nil for none.
    public init(
        concurrency: Int = 64, requestTimeout: Duration = .seconds(15),
        connectTimeout: Duration = .seconds(10),
        userAgent: String = HubClientSettings.defaultUserAgent,
        additionalTrustRoots: [String] = [], proxy: HubProxy? = nil
    ) {
        self.concurrency = concurrency
        self.requestTimeout = requestTimeout
        self.connectTimeout = connectTimeout
        self.userAgent = userAgent
        self.additionalTrustRoots = additionalTrustRoots
        self.proxy = proxy
    }

    /// Checks the ranges.
    ///
    /// - Throws: ``HubConfigurationError`` for the first value out of its range.
    func check() throws(HubConfigurationError) {
        let times = Duration.zero...Duration.seconds(300)
        guard (1...1_024).contains(concurrency) else { throw .concurrencyOutOfRange }
        guard times.contains(requestTimeout), requestTimeout > .zero,
            times.contains(connectTimeout),
            connectTimeout > .zero
        else { throw .timeoutOutOfRange }
        guard HeaderField.isValue(userAgent) else { throw .invalidUserAgent }
        guard proxy?.isValid ?? true else { throw .invalidProxy }
    }
}
