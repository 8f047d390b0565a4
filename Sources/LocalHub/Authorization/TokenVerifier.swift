import Crypto
import Foundation

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

    /// The rule that a request's token proves.
    ///
    /// - Parameters:
    ///   - header: the value of `Authorization`, if there is one.
    ///   - host: the host that the client reached, in lower case, without port.
    ///   - path: the request's path as sent.
    ///   - now: the hub's time.
    /// - Returns: the rule.
    /// - Throws: `AuthorizationFailure` when there is no token, or none that is good for this request.
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

    /// Whether a header's signature has been found good before.
    func hasProven(_ header: String?) -> Bool {
        header.flatMap { proven[$0] } != nil
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
