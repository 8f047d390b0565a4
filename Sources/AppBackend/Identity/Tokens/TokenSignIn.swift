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
        if let name = token.header.unsupported { throw .unsupported(name) }
        guard token.header.isForAccess else { throw .wrongType(token.header.type ?? "") }
        try keys.check(token)
        let claims: TokenClaims
        do {
            claims = try JSONDecoder().decode(
                TokenClaims.self, from: Data(token.claims), configuration: rules.usernameClaim)
        } catch DecodingError.keyNotFound(let claim, _) {
            throw .missingClaim(claim.stringValue)
        } catch DecodingError.typeMismatch(_, let place), DecodingError.valueNotFound(_, let place),
            DecodingError.dataCorrupted(let place)
        {
            throw .malformedClaim(place.codingPath.first?.stringValue)
        } catch {
            throw .malformedClaim(nil)
        }
        try check(claims)
        return try username(in: claims)
    }

    private func check(_ claims: TokenClaims) throws(TokenFault) {
        guard claims.issuer == rules.issuer else {
            throw .wrongIssuer(claims.issuer, expected: rules.issuer)
        }
        guard claims.audiences.contains(rules.audience) else {
            throw .wrongAudience(claims.audiences, expected: rules.audience)
        }
        let now = clock.date().timeIntervalSince1970
        let leeway = rules.leeway / .seconds(1)
        guard now < claims.expiry + leeway else { throw .expired(claims.expiry, now: now) }
        for (claim, start) in [("nbf", claims.notBefore), ("iat", claims.issuedAt)] {
            guard let start, start > now + leeway else { continue }
            throw .notYetValid(claim, start, now: now)
        }
        // Without `iat` it counts from now, allowing for clocks that differ.
        let lifetime = claims.expiry - (claims.issuedAt ?? now + leeway)
        let longest = rules.longestLifetime / .seconds(1)
        guard lifetime <= longest else { throw .livesTooLong(lifetime, longest: longest) }
    }

    private func username(in claims: TokenClaims) throws(TokenFault) -> Username {
        guard let text = claims.username else { throw .noUsername(rules.usernameClaim) }
        do throws(UsernameFault) {
            return try Username(text)
        } catch {
            throw .unusableUsername(rules.usernameClaim, text, error)
        }
    }
}

enum TokenKeySource: Sendable {
    case files(WatchedFiles<TokenKeys>)
    case fetched(FetchedTokenKeys)

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

    func look() async {
        switch self {
        case .files(let files): await files.look()
        case .fetched(let fetched): fetched.look()
        }
    }
}
