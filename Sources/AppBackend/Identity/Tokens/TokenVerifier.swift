package import CampaignCore
import Crypto
import FoundationEssentials
import JWTKit

struct TokenVerifier: Sendable {
    let algorithm: TokenAlgorithm
    private let verification: any JWTAlgorithm

    init(_ verification: any JWTAlgorithm, for algorithm: TokenAlgorithm) {
        self.verification = verification
        self.algorithm = algorithm
    }

    init(_ content: [UInt8], for algorithm: TokenAlgorithm) async throws(TokenKeyError) {
        let keys = JWTKeyCollection()
        if algorithm.isSymmetric {
            let secret = try Self.secret(in: content, for: algorithm)
            await keys.add(hmac: secret, digestAlgorithm: Self.digest(of: algorithm))
        } else {
            let text = try Self.publicKey(in: content)
            do {
                try await Self.add(text, for: algorithm, to: keys)
            } catch {
                throw .unusable(algorithm)
            }
        }
        do {
            self.init(try await keys.getKey(), for: algorithm)
        } catch {
            throw .unusable(algorithm)
        }
    }

    /// - Returns: nil if the key is too small or not a point on its curve.
    init?(_ key: PublishedKey, for algorithm: TokenAlgorithm) async {
        do {
            try await self.init(Array(key.pem(for: algorithm).utf8), for: algorithm)
        } catch {
            return nil
        }
    }

    func isSignature(_ signature: [UInt8], of text: ArraySlice<UInt8>) -> Bool {
        do {
            return try verification.verify(signature, signs: text)
        } catch {
            // The signature has the wrong length.
            return false
        }
    }

    private static func add(
        _ key: String, for algorithm: TokenAlgorithm, to keys: JWTKeyCollection
    ) async throws {
        switch algorithm {
        case .rs256, .rs384, .rs512:
            await keys.add(
                rsa: try Insecure.RSA.PublicKey(pem: key), digestAlgorithm: digest(of: algorithm))
        case .ps256, .ps384, .ps512:
            await keys.add(
                pss: try Insecure.RSA.PublicKey(pem: key), digestAlgorithm: digest(of: algorithm))
        case .es256:
            await keys.add(ecdsa: try ES256PublicKey(pem: key))
        case .es384:
            await keys.add(ecdsa: try ES384PublicKey(pem: key))
        case .es512:
            await keys.add(ecdsa: try ES512PublicKey(pem: key))
        case .edDSA:
            await keys.add(eddsa: try EdDSA.PublicKey(pem: key))
        case .hs256, .hs384, .hs512:
            throw TokenKeyError.unusable(algorithm)
        }
    }

    /// The bytes of a secret, without a trailing line break.
    private static func secret(
        in content: [UInt8], for algorithm: TokenAlgorithm
    ) throws(TokenKeyError) -> HMACKey {
        var secret = content[...]
        if secret.last == UInt8(ascii: "\n") { secret = secret.dropLast() }
        if secret.last == UInt8(ascii: "\r") { secret = secret.dropLast() }
        guard !String(decoding: secret, as: UTF8.self).contains("-----BEGIN") else {
            throw .keyAsSecret(algorithm)
        }
        // RFC 7518, section 3.2, requires at least the length of the hash.
        let least =
            switch algorithm {
            case .hs512: 64
            case .hs384: 48
            default: 32
            }
        guard secret.count >= least else {
            throw .secretTooShort(algorithm, bytes: secret.count, least: least)
        }
        return HMACKey(key: SymmetricKey(data: Array(secret)))
    }

    private static func publicKey(in content: [UInt8]) throws(TokenKeyError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw .notPEM }
        if text.contains("PRIVATE KEY-----") { throw .privateKey }
        if text.contains("-----BEGIN CERTIFICATE-----") { throw .certificate }
        guard text.contains("-----BEGIN ") else { throw .notPEM }
        return text
    }

    private static func digest(of algorithm: TokenAlgorithm) -> DigestAlgorithm {
        switch algorithm {
        case .rs384, .ps384, .hs384, .es384: .sha384
        case .rs512, .ps512, .hs512, .es512: .sha512
        case .rs256, .ps256, .hs256, .es256, .edDSA: .sha256
        }
    }
}

/// A problem with a key file; its description never quotes the content.
package enum TokenKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case secretTooShort(TokenAlgorithm, bytes: Int, least: Int)
    /// The file contains a PEM key instead of a secret; if it is public, anybody could sign tokens.
    case keyAsSecret(TokenAlgorithm)
    case privateKey
    case certificate
    case notPEM
    /// The key has the wrong type, size or curve for the algorithm.
    case unusable(TokenAlgorithm)

    package var description: String {
        switch self {
        case .secretTooShort(let algorithm, let bytes, let least):
            "contains a secret of \(bytes) bytes, but \(algorithm.rawValue) needs \(least) or more. "
                + "Create one with `openssl rand -hex \(least)`"
        case .keyAsSecret(let algorithm):
            "contains a PEM key, but \(algorithm.rawValue) needs a secret that only "
                + "the issuer and the backend know. Correct the algorithm or the file"
        case .privateKey:
            "contains a private key, which the backend must not have. "
                + "Extract the public key with `openssl pkey -pubout`"
        case .certificate:
            "contains a certificate. Extract its public key with `openssl x509 -noout -pubkey`"
        case .notPEM:
            "contains no public key in PEM format (-----BEGIN PUBLIC KEY-----)"
        case .unusable(let algorithm):
            "contains no key for \(algorithm.rawValue), which needs \(Self.need(of: algorithm))"
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
