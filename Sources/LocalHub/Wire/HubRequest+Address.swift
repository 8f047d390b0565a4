extension HubRequest {
    /// The absolute address of something, as the client reached the hub, with the request's api-version.
    ///
    /// - Parameter path: the decoded segments.
    /// - Returns: the address.
    func address(_ path: some Sequence<String>) -> String {
        let version = target.query["api-version"].map {
            "?api-version=\(PercentEncoding.encode($0))"
        }
        let segments = path.map(PercentEncoding.encode).joined(separator: "/")
        return "\(scheme)://\(authority.text)/\(segments)\(version ?? "")"
    }
}
