import CampaignCore

/// The host and port that the backend listens on.
struct BackendAddress: Hashable, Sendable {
    /// A name or an address, one of version 6 without brackets.
    let host: String
    /// 0: a free one.
    let port: Int

    /// Whether only this machine can reach it.
    var isLoopback: Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }

    /// The base of its addresses, without a trailing slash.
    func url(isSecure: Bool) -> String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(host):\(port)"
    }
}
