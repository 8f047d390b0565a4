/// The `backend:` settings in the config; paths are resolved.
package struct BackendSettings: Hashable, Sendable {
    /// `host:port`; nil means the default.
    package var listen: String?
    /// An htpasswd file; nil if nobody can sign in with a password.
    package var users: String?
    /// nil if nobody can sign in with a token.
    package var jwt: TokenRules?
    /// nil means plain HTTP.
    package var tls: TLSFiles?
    /// Proxies whose forwarding headers are trusted.
    package var proxies: [AddressRange]
    /// Web pages and web views that may call the backend from another site.
    package var origins: [PageOrigin]
    /// Tags that devices may register for besides their user's own.
    package var allowedTags: [TagPattern]
    package var senders: [Username]
    /// nil means the default.
    package var audit: String?

    package init(
        listen: String? = nil, users: String? = nil, jwt: TokenRules? = nil, tls: TLSFiles? = nil,
        proxies: [AddressRange] = [], origins: [PageOrigin] = [], allowedTags: [TagPattern] = [],
        senders: [Username] = [], audit: String? = nil
    ) {
        self.listen = listen
        self.users = users
        self.jwt = jwt
        self.tls = tls
        self.proxies = proxies
        self.origins = origins
        self.allowedTags = allowedTags
        self.senders = senders
        self.audit = audit
    }
}

/// The paths of PEM files.
package struct TLSFiles: Hashable, Sendable {
    /// The certificate, followed by its intermediate certificates.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The rules by which bearer tokens (RFC 7519) are accepted.
package struct TokenRules: Hashable, Sendable {
    package var issuer: String
    /// The `aud` that a token must include.
    package var audience: String
    package var usernameClaim: String
    /// The maximum time from `iat` (or from now if `iat` is missing) to `exp`.
    package var longestLifetime: Duration
    /// By how much the issuer's clock may be wrong.
    package var leeway: Duration
    /// The keys; empty only if there is a ``keySet``.
    package var keys: [TokenKey]
    /// A published key set that is used instead of ``keys``.
    package var keySet: TokenKeySet?

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

/// The keys that an issuer publishes (JSON Web Key Set, RFC 7517).
package struct TokenKeySet: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case file(String)
        /// An address from which the keys are fetched at intervals.
        case url(String)
    }

    package var place: Place
    /// The accepted algorithms; never empty, and never an algorithm with a shared secret.
    package var algorithms: [TokenAlgorithm]

    package init(place: Place, algorithms: [TokenAlgorithm]) {
        self.place = place
        self.algorithms = algorithms
    }
}

package struct TokenKey: Hashable, Sendable {
    /// The `kid` of tokens signed with the key; nil for the only key, which verifies tokens without
    /// `kid`.
    package var id: String?
    package var algorithm: TokenAlgorithm
    /// A public key in PEM; for HMAC, a secret at least as long as the hash.
    package var file: String

    package init(id: String?, algorithm: TokenAlgorithm, file: String) {
        self.id = id
        self.algorithm = algorithm
        self.file = file
    }
}

/// The signature algorithms of RFC 7518, section 3.1, and RFC 8037, without `none`.
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

    package var isSymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: true
        default: false
        }
    }
}
