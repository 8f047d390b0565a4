import CampaignCore
import FoundationEssentials

/// Signs people in by bearer token (RFC 7519, with the advice of RFC 8725).
///
/// The key sets the algorithm, never the token: a token that names another one is refused before
/// any signature is computed. Claims are read after the signature was verified.
struct TokenSignIn: Sendable {
    private let rules: TokenRules
    private let keys: TokenKeySource
    private let clock: IdentityClock

    init(rules: TokenRules, keys: TokenKeySource, clock: IdentityClock) {
        self.rules = rules
        self.keys = keys
        self.clock = clock
    }

    /// The token's user; throws while the keys cannot be used.
    func user(of text: Substring) async throws(SignInRefusal) -> Result<Username, TokenFault> {
        let result = result(of: text, keys: try keys.content())
        guard case .failure(.unknownKey) = result, case .fetched(let fetched) = keys,
            let newer = await fetched.renewed()
        else { return result }
        return self.result(of: text, keys: newer)
    }

    private func result(of text: Substring, keys: TokenKeys) -> Result<Username, TokenFault> {
        do throws(TokenFault) {
            return .success(try user(of: text, keys: keys))
        } catch {
            return .failure(error)
        }
    }

    private func user(of text: Substring, keys: TokenKeys) throws(TokenFault) -> Username {
        let token = try CompactToken(text)
        guard !token.header.isUnsupported else { throw .unsupported }
        guard token.header.isForAccess else { throw .wrongType }
        try keys.check(token)
        let claims: TokenClaims
        do {
            claims = try JSONDecoder().decode(
                TokenClaims.self, from: Data(token.claims), configuration: rules.usernameClaim)
        } catch {
            throw .malformedClaims
        }
        try check(claims)
        return try username(in: claims)
    }

    private func check(_ claims: TokenClaims) throws(TokenFault) {
        guard claims.issuer == rules.issuer else { throw .wrongIssuer }
        guard claims.audiences.contains(rules.audience) else { throw .wrongAudience }
        let now = clock.date().timeIntervalSince1970
        let leeway = rules.leeway / .seconds(1)
        guard now < claims.expiry + leeway else { throw .expired }
        for start in [claims.notBefore, claims.issuedAt] {
            guard (start ?? now) <= now + leeway else { throw .notYetValid }
        }
        // Without `iat` it counts from now, allowing for clocks that differ.
        let lifetime = claims.expiry - (claims.issuedAt ?? now + leeway)
        guard lifetime <= rules.longestLifetime / .seconds(1) else { throw .livesTooLong }
    }

    private func username(in claims: TokenClaims) throws(TokenFault) -> Username {
        guard let text = claims.username else { throw .noUsername }
        do throws(UsernameFault) {
            return try Username(text)
        } catch {
            throw .noUsername
        }
    }
}

enum TokenKeySource: Sendable {
    /// Files with single keys, or with a set.
    case files(WatchedFiles<TokenKeys>)
    case fetched(FetchedTokenKeys)

    /// The keys read last; throws while they cannot be used.
    func content() throws(SignInRefusal) -> TokenKeys {
        switch self {
        case .files(let files): try files.content()
        case .fetched(let fetched): try fetched.content()
        }
    }

    var fault: IdentityFault? {
        switch self {
        case .files(let files): files.fault
        case .fetched(let fetched): fetched.fault
        }
    }

    /// Renews keys that have changed or are old.
    func look() async {
        switch self {
        case .files(let files): await files.look()
        case .fetched(let fetched): fetched.look()
        }
    }
}

/// Why a token is refused; for the audit.
enum TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case malformed
    case unsupported
    case wrongType
    case unknownKey
    case wrongAlgorithm
    case wrongSignature
    /// From here on the signature is good.
    case malformedClaims
    case wrongIssuer
    case wrongAudience
    case expired
    case notYetValid
    case livesTooLong
    case noUsername

    /// Whether somebody without a key may have made it; it is not just expired or misdirected.
    ///
    /// Only forgeries count as failures, so that an office full of devices with expired tokens does
    /// not lock out the other people there.
    var isForgery: Bool {
        switch self {
        case .tooLong, .malformed, .unsupported, .wrongType, .unknownKey, .wrongAlgorithm,
            .wrongSignature:
            true
        case .malformedClaims, .wrongIssuer, .wrongAudience, .expired, .notYetValid,
            .livesTooLong, .noUsername:
            false
        }
    }

    var description: String {
        switch self {
        case .tooLong: "the token has more than \(CompactToken.longest) bytes"
        case .malformed: "the token is malformed"
        case .unsupported: "the token's header asks for something that is not supported"
        case .wrongType: "the token is not an access token"
        case .unknownKey: "the token's kid names no key of the backend"
        case .wrongAlgorithm: "the token's algorithm is not that of its key"
        case .wrongSignature: "the token's signature is wrong"
        case .malformedClaims: "the token lacks iss, aud or exp, or has one of the wrong kind"
        case .wrongIssuer: "the token has another issuer"
        case .wrongAudience: "the token is for another audience"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .livesTooLong: "the token is valid for longer than the config allows"
        case .noUsername: "the token's username claim is missing, no text, or no username"
        }
    }
}
