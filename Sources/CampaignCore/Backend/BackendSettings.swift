/// What the config says about the app backend (`backend:`); paths are resolved.
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
