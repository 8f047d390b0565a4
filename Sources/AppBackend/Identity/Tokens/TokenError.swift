import CampaignCore
import FoundationEssentials
import HTTPServing

/// Why a token is refused, for the audit.
///
/// The description names a claim and the value that differs, but never the token or its signature.
enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case malformed
    case unsupported(String)
    case wrongType(String)
    case unknownKey(String?)
    case wrongAlgorithm(String, expected: [String])
    case wrongSignature
    /// In the following cases, the signature is valid.
    case missingClaim(String)
    case malformedClaim(String?)
    case wrongIssuer(String, expected: String)
    case wrongAudience([String], expected: String)
    /// All times are seconds since 1970.
    case expired(Double, now: Double)
    case notYetValid(String, Double, now: Double)
    case livesTooLong(Double, longest: Double)
    case noUsername(String)
    case unusableUsername(String, String, UsernameError)

    /// Whether the token may be forged by somebody without a key, rather than expired or
    /// misdirected.
    ///
    /// Only possible forgeries are counted as failures, so an office full of devices with expired
    /// tokens does not lock out other people there.
    var isForgery: Bool {
        switch self {
        case .tooLong, .malformed, .unsupported, .wrongType, .unknownKey, .wrongAlgorithm,
            .wrongSignature:
            true
        case .missingClaim, .malformedClaim, .wrongIssuer, .wrongAudience, .expired, .notYetValid,
            .livesTooLong, .noUsername, .unusableUsername:
            false
        }
    }

    var description: String {
        switch self {
        case .tooLong: "the token has more than \(CompactToken.longest) bytes"
        case .malformed: "the token is malformed"
        case .unsupported(let name): "the token's header has \(name), which is not supported"
        case .wrongType(let type):
            "the token's typ is \(ClientText.quoted(type)), which is not the type of an access token"
        case .unknownKey(nil): "the token has no kid, but every key of the backend has one"
        case .unknownKey(let id?):
            "the token's kid is \(ClientText.quoted(id)), which no key of the backend has"
        case .wrongAlgorithm(let name, let expected):
            "the token's alg is \(ClientText.quoted(name)), but its key is for "
                + expected.joined(separator: " or ")
        case .wrongSignature: "the token's signature does not match its key"
        case .missingClaim(let claim): "the token has no \(claim)"
        case .malformedClaim(nil): "the token's claims cannot be read as JSON"
        case .malformedClaim(let claim?): "the token's \(claim) has the wrong type"
        case .wrongIssuer(let issuer, let expected):
            "the token's iss is \(ClientText.quoted(issuer, longest: 120)), but the config's issuer is \"\(expected)\""
        case .wrongAudience(let audiences, let expected):
            "the token's aud is \(ClientText.quoted(audiences.joined(separator: " "), longest: 120)), "
                + "but the config's audience is \"\(expected)\""
        case .expired(let end, let now):
            "the token expired at \(Self.text(end)); the time here is \(Self.text(now))"
        case .notYetValid(let claim, let start, let now):
            "the token's \(claim) is \(Self.text(start)); the time here is \(Self.text(now))"
        case .livesTooLong(let lifetime, let longest):
            "the token is valid for \(Int(min(lifetime, 1e15))) s, "
                + "but longest_lifetime is \(Int(longest)) s"
        case .noUsername(let claim): "the token has no \(claim), or it is not a string"
        case .unusableUsername(let claim, let text, let problem):
            "the token's \(claim) is \(ClientText.quoted(text)), which \(problem)"
        }
    }

    private static func text(_ seconds: Double) -> String {
        UTCTime.text(Date(timeIntervalSince1970: seconds))
    }
}
