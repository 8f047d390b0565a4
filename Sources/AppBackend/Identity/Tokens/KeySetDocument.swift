package import CampaignCore
import FoundationEssentials

/// A JSON Web Key Set (RFC 7517), read without trusting it.
///
/// Keys of a kind that the config's algorithms do not use are left out (section 5), since issuers
/// publish keys for other uses too. So are secrets and private keys, which every reader of the set
/// has.
struct KeySetDocument: Decodable {
    /// In bytes; issuers with many keys and certificates use about 40,000.
    static let limit = 256 << 10
    /// Bounds the work, since each key is computed with.
    static let mostKeys = 100

    /// The keys that could be read.
    let keys: [PublishedKey]
    /// The number of all keys.
    let count: Int

    private enum CodingKeys: CodingKey {
        case keys
    }

    private struct Entry: Decodable {
        let key: PublishedKey?

        init(from decoder: any Decoder) throws {
            do {
                key = try PublishedKey(from: decoder)
            } catch is DecodingError {
                key = nil
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let entries = try decoder.container(keyedBy: CodingKeys.self)
            .decode([Entry].self, forKey: .keys)
        keys = entries.compactMap(\.key)
        count = entries.count
    }

    init(_ bytes: [UInt8]) throws(KeySetFault) {
        guard bytes.count <= Self.limit else { throw .document(.tooLarge(limit: Self.limit)) }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw .noKeySet
        }
        guard count <= Self.mostKeys else { throw .tooManyKeys }
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
    /// Modulus and exponent of RSA, in base64url.
    let n: String?
    let e: String?
    /// The point on the curve, in base64url; an Edwards curve has no `y`.
    let x: String?
    let y: String?
    /// Whether it holds a private part or a secret, which only the issuer may have.
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

    /// Whether everything that it says of itself fits an algorithm.
    func isFor(_ algorithm: TokenAlgorithm) -> Bool {
        guard !hasSecret, use == nil || use == "sig",
            keyOperations?.contains("verify") != false,
            alg == nil || alg == algorithm.rawValue
        else { return false }
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

package enum KeySetFault: Error, Hashable, Sendable, CustomStringConvertible {
    case document(DocumentFault)
    case noKeySet
    case tooManyKeys
    case noKey([TokenAlgorithm])

    package var description: String {
        switch self {
        case .document(let fault): "\(fault)"
        case .noKeySet: "it is no JSON Web Key Set, an object with a list \"keys\""
        case .tooManyKeys: "it has more than \(KeySetDocument.mostKeys) keys"
        case .noKey(let algorithms):
            "it has no public key for \(algorithms.map(\.rawValue).joined(separator: ", "))"
        }
    }
}
