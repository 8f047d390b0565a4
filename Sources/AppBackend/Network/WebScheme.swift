/// How a client speaks to a server.
enum WebScheme: String, Hashable, Sendable {
    case http
    case https

    /// The port that a host without one means.
    var port: Int {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}
