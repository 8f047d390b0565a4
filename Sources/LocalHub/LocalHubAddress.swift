/// Where a running hub can be reached.
package struct LocalHubAddress: Sendable, Hashable {
    /// The host that it listens on, without brackets.
    package let host: String
    /// The port that it listens on.
    package let port: Int
    /// The hub's name.
    package let hubName: String

    /// Names an address.
    ///
    /// - Parameters:
    ///   - host: the host, an IPv6 address without brackets.
    ///   - port: the port, 1 to 65535.
    ///   - hubName: the hub's name.
    package init(host: String, port: Int, hubName: String) {
        self.host = host
        self.port = port
        self.hubName = hubName
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { LoopbackHost.contains(host) }

    /// The address for plain HTTP, such as `http://127.0.0.1:8080`, without a trailing slash.
    package var httpURL: String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
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
    ///
    /// - Parameter rule: the rule whose rights the client gets.
    /// - Returns: the connection string.
    package func connectionString(_ rule: LocalHubRule) -> String {
        "Endpoint=\(httpURL)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key)"
    }
}
