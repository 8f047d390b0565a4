/// What is read of a token's header (RFC 7515, section 4.1).
///
/// Keys that come with the token (`jwk`, `jku`, `x5c`, `x5u`) are never looked at: who made the
/// token made them too.
struct TokenHeader: Decodable, Equatable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case algorithm = "alg"
        case keyID = "kid"
        case type = "typ"
        case critical = "crit"
        case encryption = "enc"
    }

    let algorithm: String
    let keyID: String?
    let type: String?
    /// Whether it wants something understood that is not (RFC 7515, section 4.1.11), or is of an
    /// encrypted token.
    let isBeyondUs: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        algorithm = try container.decode(String.self, forKey: .algorithm)
        keyID = try container.decodeIfPresent(String.self, forKey: .keyID)
        type = try container.decodeIfPresent(String.self, forKey: .type)
        isBeyondUs = container.contains(.critical) || container.contains(.encryption)
    }

    /// Whether it is a token to get in with: of no type, `JWT`, or `at+jwt` (RFC 9068); not a
    /// logout token, say, of the same issuer (RFC 8725, section 3.11).
    var isForAccess: Bool {
        guard let type = type?.lowercased() else { return true }
        return ["jwt", "application/jwt", "at+jwt", "application/at+jwt"].contains(type)
    }
}
