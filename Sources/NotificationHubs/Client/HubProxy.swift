/// An HTTP proxy on the way to the hub.
///
/// ```swift
/// let settings = HubClientSettings(proxy: HubProxy(host: "proxy.example", port: 3128))
/// ```
///
/// TLS is spoken with the hub through the proxy, which sees nothing of it.
public struct HubProxy: Sendable, Hashable {
    /// Its name or address, without brackets.
    public let host: String

    /// Its port, 1 to 65,535.
    public let port: Int

    /// Names a proxy.
    ///
    /// - Parameters:
    ///   - host: its name or address, without brackets.
    ///   - port: its port, 1 to 65,535.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether it can be connected to.
    var isValid: Bool {
        HeaderField.isValue(host) && (1...65_535).contains(port)
            && host.utf8.allSatisfy { !"/@[] ".utf8.contains($0) }
    }
}
