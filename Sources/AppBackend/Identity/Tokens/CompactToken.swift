import FoundationEssentials

/// A signed token in compact form (RFC 7515, section 3.1), parsed but not verified.
struct CompactToken: Sendable {
    /// The maximum size in bytes.
    static let longest = 8_192

    /// The header as sent, in base64url.
    let header: [UInt8]
    /// The header and the claims as sent, which are the signed bytes.
    let signed: ArraySlice<UInt8>
    /// JSON; read it only once the signature is verified.
    let claims: [UInt8]
    let signature: [UInt8]

    init(_ text: ArraySlice<UInt8>) throws(TokenError) {
        let dot = UInt8(ascii: ".")
        guard let first = text.firstIndex(of: dot), let last = text.lastIndex(of: dot),
            first < last, let claims = Base64URL.decode(text[(first + 1)..<last]),
            let signature = Base64URL.decode(text[(last + 1)...])
        else { throw .malformed }
        header = Array(text[..<first])
        signed = text[..<last]
        self.claims = claims
        self.signature = signature
    }
}

/// The fields that are read from a token's header (RFC 7515, section 4.1).
///
/// Keys inside the token (`jwk`, `jku`, `x5c`, `x5u`) are ignored, because the token's author chose
/// them.
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
    /// `crit` or `enc`: the token needs an extension (RFC 7515, section 4.1.11) or is encrypted.
    let unsupported: String?

    init(_ text: [UInt8]) throws(TokenError) {
        guard let json = Base64URL.decode(text) else { throw .malformed }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw .malformed
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        algorithm = try container.decode(String.self, forKey: .algorithm)
        keyID = try container.decodeIfPresent(String.self, forKey: .keyID)
        type = try container.decodeIfPresent(String.self, forKey: .type)
        unsupported = [CodingKeys.critical, .encryption].first(where: container.contains)?.rawValue
    }

    /// Whether this is an access token: it has no type, or the type `JWT` or `at+jwt` (RFC 9068).
    ///
    /// A logout token of the same issuer, for example, is not an access token (RFC 8725, section
    /// 3.11).
    var isForAccess: Bool {
        guard let type = type?.lowercased() else { return true }
        return ["jwt", "application/jwt", "at+jwt", "application/at+jwt"].contains(type)
    }
}

/// The claims that are read (RFC 7519, section 4.1).
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
    let times: TokenTimes
    /// The claim that contains the username; nil if it is missing or not a string.
    let username: String?

    init(from decoder: any Decoder, configuration usernameClaim: String) throws {
        let container = try decoder.container(keyedBy: Key.self)
        issuer = try container.decode(String.self, forKey: Key(stringValue: "iss"))
        let audience = Key(stringValue: "aud")
        do {
            audiences = [try container.decode(String.self, forKey: audience)]
        } catch DecodingError.typeMismatch {
            audiences = try container.decode([String].self, forKey: audience)
        }
        times = TokenTimes(
            expiry: try container.decode(Double.self, forKey: Key(stringValue: "exp")),
            notBefore: try container.decodeIfPresent(Double.self, forKey: Key(stringValue: "nbf")),
            issuedAt: try container.decodeIfPresent(Double.self, forKey: Key(stringValue: "iat")))
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

/// When a token is valid, in seconds since 1970-01-01 UTC.
struct TokenTimes: Equatable, Sendable {
    let expiry: Double
    let notBefore: Double?
    let issuedAt: Double?
}

/// Base64 with `-` and `_`, without padding (RFC 7515, section 2).
enum Base64URL {
    /// Decodes text; nil if it contains other characters, padding or leftover bits.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return count < 6 && bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
