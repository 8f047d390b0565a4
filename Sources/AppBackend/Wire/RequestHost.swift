import HTTPTypes

/// The host that a request names: exactly one, or nobody could tell whom it was meant for (RFC
/// 9112, section 3.2).
enum RequestHost {
    private static let field = HTTPField.Name("Host")

    /// Checks that a request names one host.
    ///
    /// - Parameter head: the request; its first `Host` is its authority, and others are left among
    ///   the fields.
    /// - Throws: ``BackendFailure/malformed(reason:)`` when there is none, more than one, or one
    ///   that no host has.
    static func check(_ head: HTTPRequest) throws(BackendFailure) {
        let hasMore = field.map { head.headerFields.contains($0) } ?? false
        guard let host = head.authority, !hasMore,
            WebOrigin(scheme: .http, authority: host[...]) != nil
        else {
            throw .malformed(
                reason: "The Host field is missing, doubled or malformed; send exactly one, "
                    + "with the host and, where there is one, the port.")
        }
    }
}
