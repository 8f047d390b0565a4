/// Why a client cannot be made.
public enum HubConfigurationError: Error, Hashable {
    /// Neither an argument nor the connection string names the hub.
    case noHubName
    /// Endpoint and hub name form no URL.
    case invalidAddress
    /// The concurrency is not 1 to 1,024.
    case concurrencyOutOfRange
    /// A timeout is not over 0 and up to 5 minutes.
    case timeoutOutOfRange
    /// The user agent is not printable ASCII.
    case invalidUserAgent
    /// The proxy has no host name, or no port of 1 to 65,535.
    case invalidProxy
    /// The TLS library refused its configuration.
    case tls
}

extension HubConfigurationError: CustomStringConvertible {
    /// A sentence with what to do about it.
    public var description: String {
        switch self {
        case .noHubName:
            "The hub has no name. Give one, or a connection string with EntityPath."
        case .invalidAddress:
            "The connection string's endpoint and the hub's name do not form a URL. Check both."
        case .concurrencyOutOfRange:
            "The number of requests in flight is out of range. Use 1 to 1024."
        case .timeoutOutOfRange:
            "A timeout is out of range. Use more than 0 seconds and up to 5 minutes."
        case .invalidUserAgent:
            "The user agent has a character that an HTTP header cannot carry. Use name/version "
                + "in ASCII."
        case .invalidProxy:
            "The proxy's host or port cannot be used. Use a bare host name or address, and a port "
                + "of 1 to 65535."
        case .tls:
            "The TLS library refused a certificate to trust. Use certificates in PEM."
        }
    }
}
