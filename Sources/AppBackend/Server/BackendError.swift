/// Why the backend cannot be made or cannot listen.
package enum BackendError: Error, Hashable, Sendable {
    /// It would take credentials in plain over a network.
    case plainBeyondLoopback(host: String)
    /// The port is not 0 to 65535.
    case invalidPort(Int)
    /// Something else listens on the port.
    case portInUse(host: String, port: Int)
    /// The port cannot be listened on for another reason.
    case cannotListen(host: String, port: Int, reason: String, advice: String)
}

extension BackendError: CustomStringConvertible {
    /// What is wrong, where, and what to do.
    package var description: String {
        switch self {
        case .plainBeyondLoopback(let host):
            """
            The backend cannot listen on \(ClientText.quoted(host)) without TLS, because passwords \
            and tokens would be readable on the way. Name a certificate with tls, or the proxy in \
            front with proxies, in the config's backend, or listen on 127.0.0.1.
            """
        case .invalidPort(let port):
            "The backend cannot listen on port \(port). Use 1 to 65535, or 0 for a free one."
        case .portInUse(let host, let port):
            """
            The backend cannot listen on \(host) port \(port): something else already does. \
            Stop it, or use another port (0 takes a free one).
            """
        case .cannotListen(let host, let port, let reason, let advice):
            """
            The backend cannot listen on \(ClientText.quoted(host)) port \(port): \(reason). \
            \(advice).
            """
        }
    }
}
