/// The settings of the app backend in the config (`backend:`); paths are resolved.
package struct BackendSettings: Hashable, Sendable {
    /// `host:port`; nil: the default.
    package var listen: String?
    /// A password file in htpasswd form; nil: nobody signs in by password.
    package var users: String?
    /// nil: nobody signs in by token.
    package var jwt: TokenRules?
    /// nil: plain HTTP.
    package var tls: TLSFiles?
    /// Proxies whose `Forwarded` counts.
    package var proxies: [AddressRange]
    /// The tags that devices may ask for beside their own user's.
    package var allowedTags: [TagPattern]
    /// Who may send through the backend.
    package var senders: [Username]
    /// The file that audit lines go to; nil: the default.
    package var audit: String?

    package init(
        listen: String? = nil, users: String? = nil, jwt: TokenRules? = nil, tls: TLSFiles? = nil,
        proxies: [AddressRange] = [], allowedTags: [TagPattern] = [], senders: [Username] = [],
        audit: String? = nil
    ) {
        self.listen = listen
        self.users = users
        self.jwt = jwt
        self.tls = tls
        self.proxies = proxies
        self.allowedTags = allowedTags
        self.senders = senders
        self.audit = audit
    }
}

/// Where a server's certificate and its key are, in PEM.
package struct TLSFiles: Hashable, Sendable {
    /// The certificate, followed by those that lead to its authority.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// Which bearer tokens (RFC 7519) are good.
package struct TokenRules: Hashable, Sendable {
    /// The `iss` that a token must have.
    package var issuer: String
    /// The `aud` that a token must have, among others maybe.
    package var audience: String
    /// The claim that is the username.
    package var usernameClaim: String
    /// The longest time from `iat`, or from now where a token has no `iat`, to `exp`.
    package var longestLifetime: Duration
    /// How far the issuer's clock may be off.
    package var leeway: Duration
    /// Empty only where there is a set.
    package var keys: [TokenKey]
    /// In the place of keys; nil: there is none.
    package var keySet: TokenKeySet?

    /// The claim that is the username where the config does not say.
    package static let defaultUsernameClaim = "sub"
    package static let defaultLongestLifetime = Duration.seconds(24 * 3600)
    package static let defaultLeeway = Duration.seconds(30)

    package init(
        issuer: String, audience: String, usernameClaim: String = defaultUsernameClaim,
        longestLifetime: Duration = defaultLongestLifetime, leeway: Duration = defaultLeeway,
        keys: [TokenKey] = [], keySet: TokenKeySet? = nil
    ) {
        self.issuer = issuer
        self.audience = audience
        self.usernameClaim = usernameClaim
        self.longestLifetime = longestLifetime
        self.leeway = leeway
        self.keys = keys
        self.keySet = keySet
    }
}

/// The keys that an issuer publishes (JSON Web Key Set, RFC 7517), among which tokens name theirs.
package struct TokenKeySet: Hashable, Sendable {
    /// Where it is.
    package enum Place: Hashable, Sendable {
        case file(String)
        /// Fetched, and fetched again.
        case url(String)
    }

    package var place: Place
    /// What its keys may be used with; never empty, and none of them with a shared secret.
    package var algorithms: [TokenAlgorithm]

    package init(place: Place, algorithms: [TokenAlgorithm]) {
        self.place = place
        self.algorithms = algorithms
    }
}

/// A key that tokens are checked with, and the one algorithm that it is for.
package struct TokenKey: Hashable, Sendable {
    /// The `kid` of the tokens that it checks; nil: it is the only key, and checks tokens without one.
    package var id: String?
    package var algorithm: TokenAlgorithm
    /// The file that holds it: a public key in PEM, or for HMAC the secret, at least as long as the hash.
    package var file: String

    package init(id: String?, algorithm: TokenAlgorithm, file: String) {
        self.id = id
        self.algorithm = algorithm
        self.file = file
    }
}

/// A signature algorithm of tokens (RFC 7518, section 3.1; RFC 8037); `none` is not among them.
package enum TokenAlgorithm: String, CaseIterable, Hashable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    /// Whether its key is a secret that issuer and backend share.
    package var isSymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: true
        default: false
        }
    }
}
