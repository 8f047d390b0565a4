/// A signature algorithm of tokens (RFC 7518, section 3.1; RFC 8037); `none` is not among them.
package enum TokenAlgorithm: String, CaseIterable, Hashable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    /// Whether its key is a secret that issuer and backend share.
    package var isSymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: true
        default: false
        }
    }
}
