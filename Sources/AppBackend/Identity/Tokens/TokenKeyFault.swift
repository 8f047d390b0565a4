package import CampaignCore

/// What is wrong with the content of a key file; never with the content in it.
package enum TokenKeyFault: Error, Hashable, Sendable, CustomStringConvertible {
    case secretTooShort(TokenAlgorithm, bytes: Int, least: Int)
    /// A file in PEM where a secret belongs: a public key that everybody knows would sign tokens.
    case keyAsSecret(TokenAlgorithm)
    case privateKey
    case certificate
    case notPEM
    /// A key of another kind, size or curve than the algorithm's.
    case unusable(TokenAlgorithm)

    package var description: String {
        switch self {
        case .secretTooShort(let algorithm, let bytes, let least):
            "holds a secret of \(bytes) bytes, and \(algorithm.rawValue) needs \(least) or more. "
                + "Make one with `openssl rand -hex \(least)`"
        case .keyAsSecret(let algorithm):
            "holds a key in PEM, and \(algorithm.rawValue) needs a secret that only "
                + "issuer and backend know. Correct the algorithm or the file"
        case .privateKey:
            "holds a private key, which the backend must not have. "
                + "Take its public key with `openssl pkey -pubout`"
        case .certificate:
            "holds a certificate. Take its public key with `openssl x509 -noout -pubkey`"
        case .notPEM:
            "holds no public key in PEM (-----BEGIN PUBLIC KEY-----)"
        case .unusable(let algorithm):
            "holds no key for \(algorithm.rawValue), which needs \(Self.need(of: algorithm))"
        }
    }

    private static func need(of algorithm: TokenAlgorithm) -> String {
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: "an RSA key of 2048 bits or more"
        case .es256: "a key on the curve P-256"
        case .es384: "a key on the curve P-384"
        case .es512: "a key on the curve P-521"
        case .edDSA: "an Ed25519 key"
        case .hs256, .hs384, .hs512: "a secret"
        }
    }
}
