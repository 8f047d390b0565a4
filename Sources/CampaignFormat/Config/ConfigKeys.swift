/// The keys of `hubsend.yaml` (contract, section 11).
package enum ConfigKeys {
    static let later = ["defaults", "retention"]
    static let laterLimits = ["recipients", "rate", "kinds"]
    static let sections = ["hub", "store", "reports", "backend", "rehearsal"]
    static let top = sections + ["limits"] + later
    static let connection = [
        "connection_string", "connection_string_file", "connection_string_command",
    ]
    static let limits = ["url_schemes"] + laterLimits
    static let hub = connection + ["name", "local"]
    static let rehearsal = ["testers"]
    static let backend = [
        "listen", "users", "jwt", "tls", "proxies", "allowed_tags", "senders", "audit",
    ]
    static let tls = ["certificate", "key"]
    static let jwt = [
        "issuer", "audience", "username_claim", "longest_lifetime", "leeway", "keys",
    ]
    static let tokenKey = ["id", "algorithm", "file"]

    /// Every key with those that lead to it.
    package static let all =
        top + limits.map { "limits." + $0 } + hub.map { "hub." + $0 }
        + backend.map { "backend." + $0 } + rehearsal.map { "rehearsal." + $0 }
        + tls.map { "backend.tls." + $0 } + jwt.map { "backend.jwt." + $0 }
        + tokenKey.map { "backend.jwt.keys." + $0 }
}
