package import CampaignCore
import FoundationEssentials
import HTTPServing
import JWTKit

/// A JSON Web Key Set (RFC 7517) from an untrusted source.
///
/// Keys that the config's algorithms cannot use are left out (section 5), because issuers also
/// publish keys for other uses. Secrets and private keys are also left out, because every reader of
/// the set knows them.
struct KeySetDocument: Decodable {
    /// The maximum size in bytes; issuers with many keys and certificates need about 40,000.
    static let limit = 256 << 10
    /// This limits the work, because each key is checked.
    static let mostKeys = 100

    let keys: [Entry]

    struct Entry: Decodable {
        /// Nil if it could not be read.
        let key: PublishedKey?
        let kid: String?

        private enum CodingKeys: CodingKey {
            case kid
        }

        init(from decoder: any Decoder) throws {
            key = Self.readable { try PublishedKey(from: decoder) }
            kid =
                key?.kid
                ?? Self.readable {
                    try decoder.container(keyedBy: CodingKeys.self).decode(
                        String.self, forKey: .kid)
                }
        }

        private static func readable<Part>(_ read: () throws -> Part) -> Part? {
            do { return try read() } catch { return nil }
        }

        /// Why no algorithm can use the key, according to its members.
        func objection(for algorithms: [TokenAlgorithm]) -> String? {
            guard let key else { return "a member is missing or has the wrong type" }
            // An empty kid does not identify a key.
            return kid == "" ? "its kid is empty" : key.objection(for: algorithms)
        }
    }

    init(_ bytes: [UInt8]) throws(KeySetError) {
        guard bytes.count <= Self.limit else { throw .document(.tooLarge(limit: Self.limit)) }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw .noKeySet
        }
        guard keys.count <= Self.mostKeys else { throw .tooManyKeys }
    }
}

/// A key of a set (RFC 7517, section 4; RFC 7518, section 6; RFC 8037, section 2).
struct PublishedKey: Decodable, Sendable {
    private let kty: String
    private let use: String?
    private let keyOperations: [String]?
    private let alg: String?
    let kid: String?
    private let crv: String?
    /// The modulus and exponent of an RSA key.
    private let n: String?
    private let e: String?
    /// The point on the curve in base64url; an Edwards curve has no `y`.
    private let x: String?
    private let y: String?
    private let hasSecret: Bool

    private enum CodingKeys: String, CodingKey {
        case kty, use, alg, kid, crv, n, e, x, y, d, k
        case keyOperations = "key_ops"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            try container.decodeIfPresent(String.self, forKey: key)
        }
        kty = try container.decode(String.self, forKey: .kty)
        use = try text(.use)
        keyOperations = try container.decodeIfPresent([String].self, forKey: .keyOperations)
        (alg, kid, crv) = (try text(.alg), try text(.kid), try text(.crv))
        (n, e, x, y) = (try text(.n), try text(.e), try text(.x), try text(.y))
        hasSecret = container.contains(.d) || container.contains(.k)
    }

    /// Returns the key in PEM; throws if its parameters are missing, too small or not on its curve.
    func pem(for algorithm: TokenAlgorithm) throws -> String {
        // Some issuers omit leading zeros or add one, although RFC 7518, section 6.2.1.2, requires
        // exactly the curve's size in bytes.
        func point(_ size: Int) throws -> (x: String, y: String) {
            (try Self.number(x, size), try Self.number(y, size))
        }
        return switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            try Insecure.RSA.PublicKey(modulus: Self.number(n), exponent: Self.number(e))
                .pemRepresentation
        case .es256: try ES256PublicKey(parameters: point(32)).pemRepresentation
        case .es384: try ES384PublicKey(parameters: point(48)).pemRepresentation
        case .es512: try ES512PublicKey(parameters: point(66)).pemRepresentation
        case .edDSA: try EdDSA.PublicKey(x: x ?? "", curve: .ed25519).pemRepresentation
        case .hs256, .hs384, .hs512: throw TokenKeyError.unusable(algorithm)
        }
    }

    /// Converts a number from base64url to base64, with as few bytes as possible or with `size`.
    private static func number(_ text: String?, _ size: Int = 0) throws -> String {
        let digits = text?.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard let bytes = digits.flatMap({ Base64URL.decode($0) })?.drop(while: { $0 == 0 }),
            !bytes.isEmpty, size == 0 || bytes.count <= size
        else { throw KeySetError.noKeySet }
        let zeros = [UInt8](repeating: 0, count: max(0, size - bytes.count))
        return Data(zeros + bytes).base64EncodedString()
    }

    /// Issuers publish such keys in addition to signing keys.
    var isForOtherUse: Bool { use != nil && use != "sig" }

    fileprivate func objection(for algorithms: [TokenAlgorithm]) -> String? {
        if hasSecret { return "it is a secret or a private key" }
        if let use, isForOtherUse { return "its use is \(ClientText.quoted(use)), not \"sig\"" }
        if keyOperations?.contains("verify") == false {
            return "its key_ops does not contain \"verify\""
        }
        if algorithms.contains(where: isFor) { return nil }
        let names = algorithms.map(\.rawValue).joined(separator: ", ")
        let own = [("alg", alg), ("kty", kty), ("crv", crv)].compactMap { name, value in
            value.map { "\(name) is \(ClientText.quoted($0))" }
        }
        return "its \(own.joined(separator: ", ")), but the config's algorithms are \(names)"
    }

    /// Whether the type and `alg` of the key match an algorithm.
    func isFor(_ algorithm: TokenAlgorithm) -> Bool {
        guard alg == nil || alg == algorithm.rawValue else { return false }
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: return kty == "RSA"
        case .es256: return kty == "EC" && crv == "P-256"
        case .es384: return kty == "EC" && crv == "P-384"
        case .es512: return kty == "EC" && crv == "P-521"
        case .edDSA: return kty == "OKP" && crv == "Ed25519"
        case .hs256, .hs384, .hs512: return false
        }
    }
}

package enum KeySetError: Error, Hashable, Sendable, CustomStringConvertible {
    case document(DocumentError)
    case noKeySet
    case tooManyKeys
    /// `unused` says why the first key of the set is not used.
    case noKey([TokenAlgorithm], unused: String? = nil)

    package var description: String {
        switch self {
        case .document(let problem): "\(problem)"
        case .noKeySet: "it is not a JSON Web Key Set (an object with a \"keys\" list)"
        case .tooManyKeys: "it has more than \(KeySetDocument.mostKeys) keys"
        case .noKey(let algorithms, let unused):
            "it has no public key for \(algorithms.map(\.rawValue).joined(separator: ", "))"
                + (unused.map { " (\($0.dropLast()))" } ?? "")
        }
    }
}
