/// An `Authorization` field (RFC 9110, section 11.6.2), taken apart but not believed.
enum AuthorizationField: Equatable, Sendable {
    /// Of the scheme `Basic`; the base64.
    case basic(Substring)
    /// Of the scheme `Bearer` (RFC 6750, section 2.1); the token.
    case bearer(Substring)
    /// Of a scheme that nobody here understands.
    case other

    /// Takes a field apart: a scheme, one space or more, and a text without spaces.
    ///
    /// - Throws: ``CredentialsFault/malformed``.
    init(_ text: String) throws(CredentialsFault) {
        let parts = text.split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard text.first != " ", let scheme = parts.first else { throw .malformed }
        let isBasic = scheme.lowercased() == "basic"
        guard isBasic || scheme.lowercased() == "bearer" else {
            self = .other
            return
        }
        let credentials = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        guard !credentials.isEmpty, credentials.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .malformed
        }
        self = isBasic ? .basic(credentials) : .bearer(credentials)
    }
}
