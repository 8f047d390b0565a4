import HTTPTypes

/// Whether a web page of somebody else may be behind a request.
///
/// A browser sends along what it knows of the user, and an app sends no `Origin`; so whatever
/// changes something and comes from a page of another origin is to be answered with 403.
enum OriginRule {
    /// Whether a request is to be refused.
    ///
    /// - Parameters:
    ///   - method: its method; those that only read are always good (RFC 9110, section 9.2.1).
    ///   - fields: its header fields.
    ///   - source: where it was sent to, as the client sees it.
    /// - Returns: whether it is.
    static func refuses(
        _ method: HTTPRequest.Method, _ fields: HTTPFields, to source: RequestSource
    ) -> Bool {
        guard ![.get, .head, .options].contains(method) else { return false }
        if values("Sec-Fetch-Site", in: fields).contains(where: { $0.lowercased() == "cross-site" })
        {
            return true
        }
        let origins = values("Origin", in: fields)
        guard !origins.isEmpty else { return false }
        guard origins.count == 1, let origin = WebOrigin(origins[0]), let host = source.host,
            let own = WebOrigin(scheme: source.scheme, authority: host[...])
        else { return true }
        return origin != own
    }

    private static func values(_ name: String, in fields: HTTPFields) -> [String] {
        HTTPField.Name(name).map { fields[values: $0] } ?? []
    }
}
