import HTTPServing

package struct LocalHubAddress: Sendable, Hashable {
    /// The host; an IPv6 address has no brackets.
    package let host: String
    package let port: Int
    /// The port for TLS; nil if the hub does not use TLS.
    package let tlsPort: Int?
    /// The certificate that clients must trust, as PEM; nil without TLS, or if a certificate is
    /// configured.
    package let authorityPEM: String?
    package let hubName: String

    package init(
        host: String, port: Int, tlsPort: Int? = nil, authorityPEM: String? = nil, hubName: String
    ) {
        self.host = host
        self.port = port
        self.tlsPort = tlsPort
        self.authorityPEM = authorityPEM
        self.hubName = hubName
    }

    package var isLoopback: Bool { LoopbackHost.contains(host) }

    /// The address for plain HTTP, such as `http://127.0.0.1:8080`, without a trailing slash.
    package var httpURL: String {
        "http://\(hostInURL):\(port)"
    }

    /// The address for TLS, such as `https://localhost:8443`, without a trailing slash.
    ///
    /// This is never an IP address: BoringSSL rejects IP addresses in certificates of an authority
    /// with name constraints.
    package var httpsURL: String? {
        tlsPort.map { "https://\(nameInURL):\($0)" }
    }

    /// The address over loopback; nil if the hub does not listen there.
    package var loopbackURL: String? {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: LoopbackHost.contains(host) ? httpURL : nil
        }
    }

    /// The connection string for clients that use plain HTTP over loopback; it contains the rule's
    /// key.
    ///
    /// It has three parts, a trailing slash and no `EntityPath`, because every SDK can parse this
    /// form.
    package func connectionString(_ rule: LocalHubRule) -> String {
        "Endpoint=\(httpURL)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key)"
    }

    /// The connection string for clients that use TLS; it contains the rule's key.
    ///
    /// The scheme is `sb`, as in the service; all clients replace it with `https`.
    package func tlsConnectionString(_ rule: LocalHubRule) -> String? {
        tlsPort.map {
            "Endpoint=sb://\(nameInURL):\($0)/;SharedAccessKeyName=\(rule.name);"
                + "SharedAccessKey=\(rule.key)"
        }
    }

    private var nameInURL: String { ["127.0.0.1", "::1"].contains(host) ? "localhost" : hostInURL }

    private var hostInURL: String { host.contains(":") ? "[\(host)]" : host }
}
