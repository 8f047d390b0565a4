import Crypto
import Foundation
import Synchronization

/// Checks tokens against the hub's rules as the real hub does (reference, section 2).
struct TokenVerifier: Sendable {
    private struct Entry {
        let rule: LocalHubRule
        let key: SymmetricKey
    }

    private let entries: [String: [Entry]]
    private let skew: Int64
    /// What has been verified before.
    let proven = ProvenTokens()

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - rules: the rules; of two with one name either key is good.
    ///   - skew: how long after its expiry a token is still good, for clocks that differ.
    init(rules: [LocalHubRule], skew: Duration) {
        entries = Dictionary(
            grouping: rules.map { Entry(rule: $0, key: SymmetricKey(data: Data($0.key.utf8))) },
            by: \.rule.name)
        self.skew = skew.components.seconds
    }

    /// The rule that the value of `Authorization` proves; throws when there is no token, or none that is valid for this request.
    ///
    /// - Parameters:
    ///   - header: the value of `Authorization`, if there is one.
    ///   - host: the host that the client reached, in lower case, without port.
    ///   - path: the request's path as sent.
    ///   - now: the hub's time.
    func rule(
        provenBy header: String?, host: String, path: String, now: Date
    ) throws(AuthorizationFailure) -> LocalHubRule {
        guard let header, !header.isEmpty else { throw .missingToken }
        let proof = try proof(of: header)
        let (deadline, overflow) = proof.expiry.addingReportingOverflow(skew)
        guard overflow || Double(deadline) > now.timeIntervalSince1970 else { throw .expiredToken }
        guard proof.audience.covers(host: host, path: path) else { throw .invalidAudience }
        return proof.rule
    }

    private func proof(of header: String) throws(AuthorizationFailure) -> TokenProof {
        if let known = proven[header] { return known }
        let token = try SharedAccessToken(header: header)
        guard let audience = TokenAudience(encoded: token.rawAudience) else {
            throw .malformedToken
        }
        // An unknown rule and a wrong key look the same to the client: neither says which names exist.
        let entry = entries[token.ruleName]?.first {
            HMAC<SHA256>.isValidAuthenticationCode(
                token.signature, authenticating: token.signedBytes, using: $0.key)
        }
        guard let entry else { throw .invalidSignature }
        let proof = TokenProof(rule: entry.rule, audience: audience, expiry: token.expiry)
        proven.keep(proof, of: header)
        return proof
    }
}

/// What the signature of a token proves; time and address of the request are checked apart from it.
private struct TokenProof: Sendable {
    /// The rule whose key signed it.
    let rule: LocalHubRule
    /// What it is good for.
    let audience: TokenAudience
    /// The expiry in whole seconds since 1970-01-01 UTC.
    let expiry: Int64
}

/// The tokens whose signatures have been verified, so that each signature is computed once, not for every request.
///
/// Only good signatures are kept, by the whole header, so that guessing finds nothing here. Expiry and address are
/// checked each time.
final class ProvenTokens: Sendable {
    /// The most tokens kept: a client has one for each rule and audience, and a new one now and then.
    static let limit = 1_024

    private let proofs = Mutex<[String: TokenProof]>([:])

    /// What a header proves; nil when it is not known.
    fileprivate subscript(header: String) -> TokenProof? {
        proofs.withLock { $0[header] }
    }

    /// How many tokens are kept.
    var count: Int { proofs.withLock(\.count) }

    /// Keeps what a whole header proves; when there are too many, all others are forgotten.
    fileprivate func keep(_ proof: TokenProof, of header: String) {
        proofs.withLock { proofs in
            if proofs.count >= Self.limit { proofs.removeAll(keepingCapacity: true) }
            proofs[header] = proof
        }
    }
}

/// Why a token is refused, always with a 401 (reference, section 8).
enum AuthorizationFailure: Error, Equatable {
    case missingToken
    case malformedToken
    case invalidSignature
    case invalidAudience
    case expiredToken

    /// The text before the tracking id in the error body.
    ///
    /// That of a wrong signature is the recorded one; the others name the sub-code that the SDKs know.
    var detail: String {
        switch self {
        case .missingToken:
            "SubCode=40102. MissingToken: The authorization header was not found."
        case .malformedToken:
            "SubCode=40105. MalformedToken: The token is malformed."
        case .invalidSignature:
            "InvalidSignature: The token has an invalid signature."
        case .invalidAudience:
            "SubCode=40104. InvalidAudience: The token is for another address."
        case .expiredToken:
            "SubCode=40106. ExpiredToken: The token is expired."
        }
    }
}
