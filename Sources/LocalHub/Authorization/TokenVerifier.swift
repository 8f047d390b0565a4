import Crypto
import Foundation
import Synchronization

/// Checks tokens against the hub's rules, as the real hub does.
struct TokenVerifier: Sendable {
    private struct Entry {
        let rule: LocalHubRule
        let key: SymmetricKey
    }

    private let entries: [String: [Entry]]
    private let skew: Int64
    let proven = ProvenTokens()

    /// Creates a verifier; if two rules have the same name, both keys are valid.
    init(rules: [LocalHubRule], skew: Duration) {
        entries = Dictionary(
            grouping: rules.map { Entry(rule: $0, key: SymmetricKey(data: Data($0.key.utf8))) },
            by: \.rule.name)
        self.skew = skew.components.seconds
    }

    /// Returns the rule whose key signed the `Authorization` header, for a host (lower case,
    /// without port) and a path as sent.
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
        // The response is the same for an unknown rule and a wrong key, so it does not reveal which
        // names exist.
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

/// A token with a verified signature; its expiry and address are checked separately.
private struct TokenProof: Sendable {
    let rule: LocalHubRule
    let audience: TokenAudience
    /// The expiry in whole seconds since 1970-01-01 UTC.
    let expiry: Int64
}

/// A cache of tokens with verified signatures, keyed by the whole header.
final class ProvenTokens: Sendable {
    /// The maximum number of cached tokens.
    ///
    /// A client uses one token per rule and audience, and renews it occasionally.
    static let limit = 1_024

    private let proofs = Mutex<[String: TokenProof]>([:])

    fileprivate subscript(header: String) -> TokenProof? {
        proofs.withLock { $0[header] }
    }

    var count: Int { proofs.withLock(\.count) }

    /// Caches the token of a header; if the limit is reached, drops all other tokens.
    fileprivate func keep(_ proof: TokenProof, of header: String) {
        proofs.withLock { proofs in
            if proofs.count >= Self.limit { proofs.removeAll(keepingCapacity: true) }
            proofs[header] = proof
        }
    }
}

/// The reason for refusing a token with a 401.
enum AuthorizationFailure: Error, Equatable {
    case missingToken
    case malformedToken
    case invalidSignature
    case invalidAudience
    case expiredToken

    /// The text before the tracking id in the error body; the wording for a wrong signature was
    /// recorded from the service.
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
