import CampaignCore
import Crypto
import Foundation
import JWTKit

/// Somebody who issues tokens, good and bad ones.
struct TestIssuer: Sendable {
    static let name = "https://issuer.example"
    static let audience = "hubsend"

    let id: String?
    let algorithm: TokenAlgorithm
    /// What the backend's key file holds.
    let keyFile: String
    private let signature: any JWTAlgorithm

    /// Makes an issuer with a key of its own; RSA keys are all the same one.
    init(_ algorithm: TokenAlgorithm, id: String? = "key") async throws {
        self.id = id
        self.algorithm = algorithm
        let keys = JWTKeyCollection()
        switch algorithm {
        case .rs256, .rs384, .rs512:
            let key = try Insecure.RSA.PrivateKey(pem: TestKeys.rsa)
            keyFile = key.publicKey.pemRepresentation
            await keys.add(rsa: key, digestAlgorithm: Self.digest(of: algorithm))
        case .ps256, .ps384, .ps512:
            let key = try Insecure.RSA.PrivateKey(pem: TestKeys.rsa)
            keyFile = key.publicKey.pemRepresentation
            await keys.add(pss: key, digestAlgorithm: Self.digest(of: algorithm))
        case .es256:
            let key = ES256PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            await keys.add(ecdsa: key)
        case .es384:
            let key = ES384PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            await keys.add(ecdsa: key)
        case .es512:
            let key = ES512PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            await keys.add(ecdsa: key)
        case .edDSA:
            let key = try EdDSA.PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            await keys.add(eddsa: key)
        case .hs256, .hs384, .hs512:
            keyFile = String(repeating: "a secret of sixteen bytes, or so ", count: 2) + "\n"
            let secret = SymmetricKey(data: Array(keyFile.utf8.dropLast()))
            await keys.add(
                hmac: HMACKey(key: secret), digestAlgorithm: Self.digest(of: algorithm))
        }
        signature = try await keys.getKey()
    }

    /// The claims of a good token for a user, as JSON.
    ///
    /// - Parameters:
    ///   - user: the claim `sub`.
    ///   - changes: claims to put in, as JSON; empty: to leave out.
    /// - Returns: the JSON.
    static func claims(of user: String = "alice", _ changes: [String: String] = [:]) -> String {
        let now = Int(TestTime.start.timeIntervalSince1970)
        var claims = [
            "iss": "\"\(name)\"", "aud": "\"\(audience)\"", "sub": "\"\(user)\"",
            "iat": "\(now)", "exp": "\(now + 3600)",
        ]
        claims.merge(changes) { $1 }
        return "{"
            + claims.filter { !$0.value.isEmpty }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            + "}"
    }

    /// A token of this issuer.
    ///
    /// - Parameters:
    ///   - claims: its claims' JSON.
    ///   - header: its header's JSON; nil: the right one.
    /// - Returns: the token.
    /// - Throws: when it cannot be signed.
    func token(_ claims: String = claims(), header: String? = nil) throws -> String {
        let kid = id.map { ",\"kid\":\"\($0)\"" } ?? ""
        let header = header ?? "{\"typ\":\"JWT\",\"alg\":\"\(algorithm.rawValue)\"\(kid)}"
        let signed = Array(header.utf8).base64URL + "." + Array(claims.utf8).base64URL
        return signed + "." + (try signature.sign(Array(signed.utf8))).base64URL
    }

    private static func digest(of algorithm: TokenAlgorithm) -> DigestAlgorithm {
        switch algorithm {
        case .rs384, .ps384, .hs384: .sha384
        case .rs512, .ps512, .hs512: .sha512
        default: .sha256
        }
    }
}
