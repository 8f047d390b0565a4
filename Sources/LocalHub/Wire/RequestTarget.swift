/// The target of a request, taken apart.
struct RequestTarget: Equatable {
    /// The target as sent.
    let text: String
    /// The path as sent, with its leading slash.
    let path: String
    /// The path's segments, decoded, without those that only a trailing slash makes.
    let segments: [String]
    /// The query as sent, with its question mark; empty when there is none.
    let queryText: String
    /// The query.
    let query: QueryParameters

    /// Takes a target apart.
    ///
    /// - Parameter text: the target in origin form, or in absolute form as proxies get it.
    /// - Throws: a 400 when it has another form, is no percent-encoding, or hides a slash or a control
    ///   character in an encoded segment.
    init(_ text: String) throws(HubFailure) {
        var rest = text[...]
        if rest.first != "/" {
            guard let scheme = rest.firstRange(of: "://") else { throw .malformedTarget }
            let afterHost = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            rest = rest[(afterHost ?? rest.endIndex)...]
        }
        let queryStart = rest.firstIndex(of: "?") ?? rest.endIndex
        let path = rest[..<queryStart]
        guard let query = QueryParameters(rest[queryStart...].dropFirst()) else {
            throw .malformedTarget
        }
        var segments: [String] = []
        for raw in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let segment = PercentEncoding.decode(raw),
                !segment.contains("/"), !segment.unicodeScalars.contains(where: Self.isControl)
            else { throw .malformedTarget }
            segments.append(segment)
        }
        if segments.last == "" { segments.removeLast() }
        self.text = text
        self.path = String(path)
        queryText = String(rest[queryStart...])
        self.segments = segments
        self.query = query
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
