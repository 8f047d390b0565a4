/// Recorded: addresses in answers repeat the request's path and query as the client spelled them, flags and all.
extension HubRequest {
    /// The absolute address of the request, as the client spelled it.
    var address: String {
        origin + target.path + target.queryText
    }

    /// The absolute address of something below the request's, as the client spelled that, with its query.
    ///
    /// - Parameters:
    ///   - id: the last segment, decoded.
    ///   - depth: how many segments of the request's path stand before it; nil: all of them.
    /// - Returns: the address.
    func address(below id: String, depth: Int? = nil) -> String {
        let segments = target.path.split(separator: "/")
        let path =
            (segments.prefix(depth ?? segments.count).map(String.init)
            + [PercentEncoding.encode(id)]).joined(separator: "/")
        return origin + "/" + path + target.queryText
    }

    /// The absolute address of something, as the client reached the hub, with the request's api-version.
    ///
    /// - Parameter path: the decoded segments.
    /// - Returns: the address.
    func address(_ path: some Sequence<String>) -> String {
        let version = target.query["api-version"].map {
            "?api-version=\(PercentEncoding.encode($0))"
        }
        let segments = path.map(PercentEncoding.encode).joined(separator: "/")
        return "\(origin)/\(segments)\(version ?? "")"
    }

    /// The absolute address of a hub, without a query.
    func address(ofHub name: String) -> String {
        "\(origin)/\(PercentEncoding.encode(name))"
    }

    private var origin: String { "\(scheme)://\(authority.text)" }
}
