import FoundationEssentials

/// What is read of a token's claims (RFC 7519, section 4.1); times in seconds since 1970-01-01 UTC.
struct TokenClaims: DecodableWithConfiguration, Equatable, Sendable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    let issuer: String
    let audiences: [String]
    let expiry: Double
    let notBefore: Double?
    let issuedAt: Double?
    /// The claim that is the username; nil when there is none, or it is no text.
    let username: String?

    /// Reads claims.
    ///
    /// - Parameters:
    ///   - decoder: the claims.
    ///   - usernameClaim: the name of the claim that is the username.
    /// - Throws: `DecodingError` when one that must be there is not, or one is of the wrong kind.
    init(from decoder: any Decoder, configuration usernameClaim: String) throws {
        let container = try decoder.container(keyedBy: Key.self)
        issuer = try container.decode(String.self, forKey: Key(stringValue: "iss"))
        let audience = Key(stringValue: "aud")
        do {
            audiences = [try container.decode(String.self, forKey: audience)]
        } catch DecodingError.typeMismatch {
            audiences = try container.decode([String].self, forKey: audience)
        }
        expiry = try container.decode(Double.self, forKey: Key(stringValue: "exp"))
        notBefore = try container.decodeIfPresent(Double.self, forKey: Key(stringValue: "nbf"))
        issuedAt = try container.decodeIfPresent(Double.self, forKey: Key(stringValue: "iat"))
        let claim = Key(stringValue: usernameClaim)
        do {
            username = try container.decode(String.self, forKey: claim)
        } catch DecodingError.typeMismatch, DecodingError.keyNotFound,
            DecodingError.valueNotFound
        {
            username = nil
        }
    }
}
