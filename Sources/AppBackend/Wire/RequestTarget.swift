/// The target of a request, taken apart and decoded.
struct RequestTarget: Equatable {
    /// The most bytes of a target.
    static let longest = 8_192

    /// The path's segments, without the one that only a trailing slash makes.
    let segments: [String]
    let query: QueryParameters

    /// Takes a target apart.
    ///
    /// - Parameter text: in origin form, or in absolute form as proxies get it (RFC 9112, section
    ///   3.2).
    /// - Throws: when it is too long, has another form, or is no percent-encoding.
    init(_ text: String) throws(BackendFailure) {
        guard text.utf8.count <= Self.longest else { throw .targetTooLong(limit: Self.longest) }
        var rest = text[...]
        if rest.first != "/" {
            guard let scheme = rest.firstRange(of: "://") else { throw Self.malformed }
            let end = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            rest = rest[(end ?? rest.endIndex)...]
        }
        let queryStart = rest.firstIndex(of: "?") ?? rest.endIndex
        query = try QueryParameters(rest[queryStart...].dropFirst())
        var segments: [String] = []
        for raw in rest[..<queryStart].split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let segment = PercentEncoding.decode(raw) else { throw Self.malformed }
            segments.append(segment)
        }
        if segments.last == "" { segments.removeLast() }
        self.segments = segments
    }

    private static let malformed = BackendFailure.malformed(
        reason: "The address is malformed; write a path that begins with /, percent-encoded.")
}
