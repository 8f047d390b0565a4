/// Which bearer tokens (RFC 7519) are good.
package struct TokenRules: Hashable, Sendable {
    /// The `iss` that a token must have.
    package var issuer: String
    /// The `aud` that a token must have, among others maybe.
    package var audience: String
    /// The claim that is the username.
    package var usernameClaim: String
    /// The longest time from `iat`, or from now where there is none, to `exp`.
    package var longestLifetime: Duration
    /// How far the issuer's clock may be off.
    package var leeway: Duration
    /// Never empty.
    package var keys: [TokenKey]

    /// The claim that is the username where the config does not say.
    package static let defaultUsernameClaim = "sub"
    package static let defaultLongestLifetime = Duration.seconds(24 * 3600)
    package static let defaultLeeway = Duration.seconds(30)

    package init(
        issuer: String, audience: String, usernameClaim: String = defaultUsernameClaim,
        longestLifetime: Duration = defaultLongestLifetime, leeway: Duration = defaultLeeway,
        keys: [TokenKey]
    ) {
        self.issuer = issuer
        self.audience = audience
        self.usernameClaim = usernameClaim
        self.longestLifetime = longestLifetime
        self.leeway = leeway
        self.keys = keys
    }
}
