/// The address of a notification hub namespace: scheme, host and port, and nothing more.
///
/// Plain `http` exists for a loopback host only, so that a key or a payload never crosses a network
/// unencrypted.
public struct HubEndpoint: Sendable, Hashable {
    /// How the namespace is reached.
    public enum Scheme: String, Sendable, Hashable {
        /// TLS; what `sb://` in a connection string means.
        case https
        /// Plain HTTP, to a loopback host.
        case http
    }

    /// `https`, or `http` for a loopback host.
    public let scheme: Scheme

    /// A host name, an IPv4 address, or an IPv6 address without its brackets; as written.
    public let host: String

    /// The port that was written out, 1 to 65,535; nil stands for the scheme's own.
    public let port: Int?

    /// Whether the host is this machine: `localhost`, `::1` or `127.0.0.0/8`.
    public var isLoopback: Bool { Loopback.contains(host) }

    /// Scheme, host and port as a URL prefix, without a trailing slash.
    var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// Host and port as the `Host` header has them.
    var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }
}

extension HubEndpoint: CustomStringConvertible {
    /// The address as a URL, such as `https://contoso.servicebus.windows.net`.
    public var description: String { origin }
}
