/// The part of the hub that a token is good for.
///
/// Clients sign anything between the namespace and the whole request address, with any scheme and port,
/// so only host and path count: the audience is a prefix of them on a segment boundary (reference, section 2).
struct TokenAudience: Equatable {
    /// Host and path in lower case, without port, query and trailing slashes.
    let resource: String

    /// Reads the audience of a token; nil when it cannot be decoded or names no host.
    ///
    /// - Parameter encoded: the percent-encoded text after `sr=`.
    init?(encoded: String) {
        guard let decoded = PercentEncoding.decode(encoded) else { return nil }
        var rest = decoded.lowercased()[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if let query = rest.firstIndex(of: "?") { rest = rest[..<query] }
        while rest.last == "/" { rest = rest.dropLast() }
        let hostEnd = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = RequestAuthority.withoutPort(rest[..<hostEnd])
        guard !host.isEmpty else { return nil }
        resource = String(host) + rest[hostEnd...]
    }

    /// Whether the audience covers a request.
    ///
    /// - Parameters:
    ///   - host: the host that the client reached, in lower case, without port.
    ///   - path: the path of the request, as sent, with its leading slash.
    /// - Returns: whether it does.
    func covers(host: String, path: String) -> Bool {
        if isPrefix(of: host + path.lowercased()) { return true }
        // A client may have signed the path before it was encoded.
        guard path.utf8.contains(UInt8(ascii: "%")), let decoded = PercentEncoding.decode(path)
        else { return false }
        return isPrefix(of: host + decoded.lowercased())
    }

    private func isPrefix(of target: String) -> Bool {
        target == resource || target.hasPrefix(resource + "/")
    }
}
