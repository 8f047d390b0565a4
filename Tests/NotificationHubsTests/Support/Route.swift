@testable import NotificationHubs

/// The routes to a hub, which must all give the same results.
enum Route: CaseIterable, Sendable {
    case direct, proxied

    /// The proxy of this route: the ``ScriptedHub`` itself.
    func proxy(to connectionString: ConnectionString) -> HubProxy? {
        switch self {
        case .direct: nil
        case .proxied:
            HubProxy(
                host: connectionString.endpoint.host, port: connectionString.endpoint.port ?? 443)
        }
    }

    /// The error when nothing listens at port 1.
    var refusal: String {
        switch self {
        case .direct: "connection refused"
        case .proxied: "connection refused (through the proxy 127.0.0.1:1)"
        }
    }
}
