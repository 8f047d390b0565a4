import CampaignCore
import Crypto
import FoundationEssentials

/// Signs people in by bearer token (RFC 7519, with the advice of RFC 8725).
///
/// The key, not the token, determines the algorithm: a token with another algorithm is refused
/// before any signature is computed. Claims are read only once the signature is verified. For a
/// token that the same keys verified recently, only the times are checked.
struct TokenSignIn: Sendable {
    private let rules: TokenRules
    private let keys: TokenKeySource
    private let clock: IdentityClock
    /// The tolerance and the maximum lifetime, in seconds.
    private let leeway, longestLifetime: Double

    init(rules: TokenRules, keys: TokenKeySource, clock: IdentityClock) {
        self.rules = rules
        leeway = rules.leeway / .seconds(1)
        longestLifetime = rules.longestLifetime / .seconds(1)
        self.keys = keys
        self.clock = clock
    }

    /// Returns the token's user; throws while the keys cannot be used.
    func user(
        of text: ArraySlice<UInt8>
    ) async throws(SignInRefusal) -> Result<Username, TokenError> {
        let result = result(of: text, keys: try keys.content())
        guard case .failure(.unknownKey) = result, case .fetched(let fetched) = keys,
            let newer = await fetched.renewed()
        else { return result }
        return self.result(of: text, keys: newer)
    }

    private func result(
        of text: ArraySlice<UInt8>, keys: TokenKeys
    ) -> Result<Username, TokenError> {
        do throws(TokenError) {
            return .success(try user(of: text, keys: keys))
        } catch {
            return .failure(error)
        }
    }

    private func user(
        of text: ArraySlice<UInt8>, keys: TokenKeys
    ) throws(TokenError) -> Username {
        guard text.count <= CompactToken.longest else { throw .tooLong }
        let digest = SHA256.hash(data: text)
        let now = clock.instant()
        if let known = keys.verifiedToken(digest, now: now) {
            try check(known.times)
            return known.user
        }
        let token = try CompactToken(text)
        try keys.check(token)
        let claims = try claims(of: token)
        try check(claims)
        let user = try username(in: claims)
        keys.keep(VerifiedToken(user: user, times: claims.times), of: digest, now: now)
        return user
    }

    private func claims(of token: CompactToken) throws(TokenError) -> TokenClaims {
        do {
            return try JSONDecoder().decode(
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
    }

    private func check(_ claims: TokenClaims) throws(TokenError) {
        guard claims.issuer == rules.issuer else {
            throw .wrongIssuer(claims.issuer, expected: rules.issuer)
        }
        guard claims.audiences.contains(rules.audience) else {
            throw .wrongAudience(claims.audiences, expected: rules.audience)
        }
        try check(claims.times)
    }

    private func check(_ times: TokenTimes) throws(TokenError) {
        let now = clock.date().timeIntervalSince1970
        guard now < times.expiry + leeway else { throw .expired(times.expiry, now: now) }
        if let start = times.notBefore, start > now + leeway {
            throw .notYetValid("nbf", start, now: now)
        }
        if let start = times.issuedAt, start > now + leeway {
            throw .notYetValid("iat", start, now: now)
        }
        // Without `iat`, the lifetime is measured from now, with a tolerance for clock differences.
        let lifetime = times.expiry - (times.issuedAt ?? now + leeway)
        guard lifetime <= longestLifetime else {
            throw .livesTooLong(lifetime, longest: longestLifetime)
        }
    }

    private func username(in claims: TokenClaims) throws(TokenError) -> Username {
        guard let text = claims.username else { throw .noUsername(rules.usernameClaim) }
        do throws(UsernameError) {
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

    var problem: IdentityError? {
        switch self {
        case .files(let files): files.problem
        case .fetched(let fetched): fetched.problem
        }
    }

    func refresh() async {
        switch self {
        case .files(let files): await files.refresh()
        case .fetched(let fetched): fetched.refresh()
        }
    }
}
