import HTTPServing

/// Where a running hub can be reached.
package struct LocalHubAddress: Sendable, Hashable {
    /// The host that it listens on, without brackets.
    package let host: String
    /// The port that it listens on.
    package let port: Int
    /// The port that it listens on for TLS; nil: it does not.
    package let tlsPort: Int?
    /// The certificate that clients have to trust for TLS, as PEM; nil without TLS, and with a certificate of the user's.
    package let authorityPEM: String?
    /// The hub's name.
    package let hubName: String

    /// Names an address.
    package init(
        host: String, port: Int, tlsPort: Int? = nil, authorityPEM: String? = nil, hubName: String
    ) {
        self.host = host
        self.port = port
        self.tlsPort = tlsPort
        self.authorityPEM = authorityPEM
        self.hubName = hubName
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { LoopbackHost.contains(host) }

    /// The address for plain HTTP, such as `http://127.0.0.1:8080`, without a trailing slash.
    package var httpURL: String {
        "http://\(hostInURL):\(port)"
    }

    /// The address for TLS, such as `https://localhost:8443`, without a trailing slash; nil: the hub does not speak TLS.
    ///
    /// The host is `localhost` rather than a loopback address, since clients with BoringSSL, `hubsend` among them, take
    /// no certificate for an address from an authority that is limited to some.
    package var httpsURL: String? {
        tlsPort.map { "https://\(nameInURL):\($0)" }
    }

    /// The address by which this machine reaches the hub over its loopback interface; nil when it does not listen there.
    package var loopbackURL: String? {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: LoopbackHost.contains(host) ? httpURL : nil
        }
    }

    /// The connection string for clients that speak plain HTTP to a loopback host.
    ///
    /// Three parts, a trailing slash and no `EntityPath`: that parses everywhere (reference, section 1).
    /// It holds the rule's key.
    package func connectionString(_ rule: LocalHubRule) -> String {
        "Endpoint=\(httpURL)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key)"
    }

    /// The connection string for clients that speak TLS; nil: the hub does not speak TLS.
    ///
    /// The scheme is the service's own, `sb`, which all clients turn into `https` (reference, section 1). The host is
    /// that of ``httpsURL``. It holds the rule's key.
    package func tlsConnectionString(_ rule: LocalHubRule) -> String? {
        tlsPort.map {
            "Endpoint=sb://\(nameInURL):\($0)/;SharedAccessKeyName=\(rule.name);"
                + "SharedAccessKey=\(rule.key)"
        }
    }

    private var nameInURL: String {
        ["127.0.0.1", "::1"].contains(host) ? "localhost" : hostInURL
    }

    private var hostInURL: String { host.contains(":") ? "[\(host)]" : host }
}
