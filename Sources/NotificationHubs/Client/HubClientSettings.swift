/// The network settings of a client.
public struct HubClientSettings: Sendable, Hashable {
    /// The default `User-Agent`.
    public static let defaultUserAgent = "hubsend/0.1"

    /// The maximum number of requests in flight, which is also the maximum number of connections, 1
    /// to 1,024.
    public var concurrency: Int

    /// The timeout for a whole request, including the response, over 0 and up to 5 minutes.
    public var requestTimeout: Duration

    /// The timeout for opening a connection, over 0 and up to 5 minutes.
    public var connectTimeout: Duration

    /// The policy for retrying failed operations; ``RetryPolicy/none`` disables retries.
    public var retries: RetryPolicy

    /// The name of the program in the `User-Agent` header: `name/version`.
    public var userAgent: String

    /// PEM certificates to trust in addition to the system's, for example for a proxy; verification
    /// cannot be disabled.
    public var additionalTrustRoots: [String]

    /// The HTTP proxy for all requests; proxy variables in the environment are ignored.
    public var proxy: HubProxy?

    /// Creates settings.
    public init(
        concurrency: Int = 64, requestTimeout: Duration = .seconds(15),
        connectTimeout: Duration = .seconds(10),
        retries: RetryPolicy = .standard,
        userAgent: String = HubClientSettings.defaultUserAgent,
        additionalTrustRoots: [String] = [], proxy: HubProxy? = nil
    ) {
        self.concurrency = concurrency
        self.requestTimeout = requestTimeout
        self.connectTimeout = connectTimeout
        self.retries = retries
        self.userAgent = userAgent
        self.additionalTrustRoots = additionalTrustRoots
        self.proxy = proxy
    }

    func check() throws(HubConfigurationError) {
        let times = Duration.zero...Duration.seconds(300)
        guard (1...1_024).contains(concurrency) else { throw .concurrencyOutOfRange }
        guard times.contains(requestTimeout), requestTimeout > .zero,
            times.contains(connectTimeout),
            connectTimeout > .zero
        else { throw .timeoutOutOfRange }
        guard retries.isValid else { throw .retriesOutOfRange }
        guard HeaderField.isValue(userAgent) else { throw .invalidUserAgent }
        guard proxy?.isValid ?? true else { throw .invalidProxy }
    }
}

/// An HTTP proxy between the client and the hub; it forwards TLS connections and cannot read them.
public struct HubProxy: Sendable, Hashable {
    /// The host name or address of the proxy, without brackets.
    public let host: String

    /// The port of the proxy, 1 to 65,535.
    public let port: Int

    /// Creates a proxy from a host without brackets and a port from 1 to 65,535.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    var isValid: Bool {
        HeaderField.isValue(host) && (1...65_535).contains(port)
            && host.utf8.allSatisfy { !"/@[] ".utf8.contains($0) }
    }
}

/// The reason why a client cannot be created.
public enum HubConfigurationError: Error, Hashable {
    /// Neither an argument nor the connection string contains the name of the hub.
    case noHubName
    /// The secondary connection string is for a different hub.
    case secondaryOfAnotherHub
    /// The endpoint and the hub name do not form a URL.
    case invalidAddress
    /// The concurrency is not between 1 and 1,024.
    case concurrencyOutOfRange
    /// A timeout is 0 or negative, or longer than 5 minutes.
    case timeoutOutOfRange
    /// A value of the retry policy is out of range.
    case retriesOutOfRange
    /// The user agent is not printable ASCII.
    case invalidUserAgent
    /// The proxy has no host name, or its port is not between 1 and 65,535.
    case invalidProxy
    /// A trusted certificate cannot be read.
    case tls
}

extension HubConfigurationError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .noHubName:
            "No hub name was given. Pass a name, or use a connection string with EntityPath."
        case .secondaryOfAnotherHub:
            "The secondary connection string is for another hub. Use a string for the same hub "
                + "with the rule's other key."
        case .invalidAddress:
            "The connection string's endpoint and the hub's name do not form a URL. Check both."
        case .concurrencyOutOfRange:
            "The number of requests in flight is out of range. Use 1 to 1024."
        case .timeoutOutOfRange:
            "A timeout is out of range. Use more than 0 seconds and up to 5 minutes."
        case .retriesOutOfRange:
            "The retry policy is out of range. Use 1 to 10 attempts, a multiplier of 1 to 10, and "
                + "times of up to 5 minutes."
        case .invalidUserAgent:
            "The user agent contains a character that is not allowed in HTTP headers. Use "
                + "name/version in ASCII."
        case .invalidProxy:
            "The proxy's host or port is invalid. Use a host name or address without a scheme, "
                + "and a port from 1 to 65535."
        case .tls:
            "A trusted certificate cannot be read. Use certificates in PEM format."
        }
    }
}
