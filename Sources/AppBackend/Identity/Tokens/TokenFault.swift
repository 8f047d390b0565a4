/// Why a token lets nobody in; for the audit.
enum TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case malformed
    /// Its header asks for what is not understood.
    case unsupported
    case wrongType
    case unknownKey
    case wrongAlgorithm
    case wrongSignature
    /// From here on the signature is good.
    case malformedClaims
    case wrongIssuer
    case wrongAudience
    case expired
    case notYetValid
    case livesTooLong
    case noUsername

    /// Whether somebody made it who has no key, instead of its holder being late or at the wrong
    /// place.
    ///
    /// Only these count as failures: nobody can guess a signature, and a house full of devices with
    /// old tokens must not keep its other people out.
    var isForgery: Bool {
        switch self {
        case .tooLong, .malformed, .unsupported, .wrongType, .unknownKey, .wrongAlgorithm,
            .wrongSignature:
            true
        case .malformedClaims, .wrongIssuer, .wrongAudience, .expired, .notYetValid,
            .livesTooLong, .noUsername:
            false
        }
    }

    var description: String {
        switch self {
        case .tooLong: "the token has more than \(CompactToken.longest) bytes"
        case .malformed: "the token is malformed"
        case .unsupported: "the token's header asks for what is not supported"
        case .wrongType: "the token's type is not one for access"
        case .unknownKey: "the token's kid names no key of the config"
        case .wrongAlgorithm: "the token's algorithm is not that of its key"
        case .wrongSignature: "the token's signature is wrong"
        case .malformedClaims: "the token lacks iss, aud or exp, or has one of the wrong kind"
        case .wrongIssuer: "the token is of another issuer"
        case .wrongAudience: "the token is for another audience"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .livesTooLong: "the token is valid for longer than the config allows"
        case .noUsername: "the token's username claim is missing, no text, or no username"
        }
    }
}
