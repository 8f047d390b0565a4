import FoundationEssentials

/// A signed token in its compact form (RFC 7515, section 3.1), taken apart but not believed.
struct CompactToken: Sendable {
    /// The longest token that is looked into, in bytes.
    static let longest = 8_192

    let header: TokenHeader
    /// Header and claims as sent, which is what is signed.
    let signed: [UInt8]
    /// The claims' JSON, to be read once the signature is known to be good.
    let claims: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: ``TokenFault`` when it is too long or malformed.
    init(_ text: Substring) throws(TokenFault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        do {
            self.header = try JSONDecoder().decode(TokenHeader.self, from: Data(header))
        } catch {
            throw .malformed
        }
        signed = Array(bytes[..<parts[1].endIndex])
        self.claims = claims
        self.signature = signature
    }
}
