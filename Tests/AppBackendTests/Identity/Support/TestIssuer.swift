import CampaignCore
import Crypto
import Foundation
import JWTKit
import Testing

@testable import AppBackend

/// Issues valid and invalid tokens.
struct TestIssuer: Sendable {
    static let name = "https://issuer.example"
    static let audience = "hubsend"

    let id: String?
    let algorithm: TokenAlgorithm
    /// The content of the backend's key file.
    let keyFile: String
    /// The members of the key in a key set, in JSON.
    let parts: String
    let signature: any JWTAlgorithm

    /// Creates an issuer with its own key; all issuers share one RSA key.
    init(_ algorithm: TokenAlgorithm, id: String? = "key") async throws {
        self.id = id
        self.algorithm = algorithm
        let keys = JWTKeyCollection()
        func curve(_ name: String, _ point: ECDSAParameters?) throws -> String {
            let point = try #require(point)
            func url(_ text: String) -> String {
                text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            }
            return
                "\"kty\":\"EC\",\"crv\":\"\(name)\",\"x\":\"\(url(point.x))\",\"y\":\"\(url(point.y))\""
        }
        func rsa(_ numbers: (modulus: Data, publicExponent: Data)) -> String {
            "\"kty\":\"RSA\",\"n\":\"\(Array(numbers.modulus).base64URL)\",\"e\":\"\(Array(numbers.publicExponent).base64URL)\""
        }
        switch algorithm {
        case .rs256, .rs384, .rs512:
            let key = try Insecure.RSA.PrivateKey(pem: TestKeys.rsa)
            keyFile = key.publicKey.pemRepresentation
            parts = rsa(try key.publicKey.getKeyPrimitives())
            await keys.add(rsa: key, digestAlgorithm: Self.digest(of: algorithm))
        case .ps256, .ps384, .ps512:
            let key = try Insecure.RSA.PrivateKey(pem: TestKeys.rsa)
            keyFile = key.publicKey.pemRepresentation
            parts = rsa(try key.publicKey.getKeyPrimitives())
            await keys.add(pss: key, digestAlgorithm: Self.digest(of: algorithm))
        case .es256:
            let key = ES256PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            parts = try curve("P-256", key.publicKey.parameters)
            await keys.add(ecdsa: key)
        case .es384:
            let key = ES384PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            parts = try curve("P-384", key.publicKey.parameters)
            await keys.add(ecdsa: key)
        case .es512:
            let key = ES512PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            parts = try curve("P-521", key.publicKey.parameters)
            await keys.add(ecdsa: key)
        case .edDSA:
            let key = try EdDSA.PrivateKey()
            keyFile = key.publicKey.pemRepresentation
            parts =
                "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(Array(key.publicKey.rawRepresentation).base64URL)\""
            await keys.add(eddsa: key)
        case .hs256, .hs384, .hs512:
            keyFile = String(repeating: "a secret of sixteen bytes, or so ", count: 2) + "\n"
            parts = "\"kty\":\"oct\",\"k\":\"\(Array(keyFile.utf8.dropLast()).base64URL)\""
            let secret = SymmetricKey(data: Array(keyFile.utf8.dropLast()))
            await keys.add(hmac: HMACKey(key: secret), digestAlgorithm: Self.digest(of: algorithm))
        }
        signature = try await keys.getKey()
    }

    /// The key as an element of a key set.
    ///
    /// - Parameter more: further members, as JSON.
    func published(_ more: String = "") -> String {
        let kid = id.map { ",\"kid\":\"\($0)\"" } ?? ""
        return "{\(parts)\(kid)\(more.isEmpty ? "" : "," + more)}"
    }

    /// A numeric member of the key, such as `n` or `x`.
    func number(_ name: String) throws -> [UInt8] {
        let key = try JSONDecoder().decode([String: String].self, from: Data("{\(parts)}".utf8))
        return Base64URL.decode((key[name] ?? "").utf8) ?? []
    }

    func published(replacing name: String, with number: String) throws -> String {
        published().replacing(
            "\"\(name)\":\"\(try self.number(name).base64URL)\"", with: "\"\(name)\":\"\(number)\"")
    }

    static func keySet(_ keys: String...) -> String {
        "{\"keys\":[\(keys.joined(separator: ","))]}"
    }

    /// The claims of a valid token for a user, as JSON.
    ///
    /// - Parameter changes: claims to set, as JSON; an empty string removes a claim.
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

    /// A token from this issuer.
    ///
    /// - Parameter header: JSON; nil means the correct header.
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
