/// What the signature of a token proves, whatever the time and the address of the request.
struct TokenProof: Sendable {
    /// The rule whose key signed it.
    let rule: LocalHubRule
    /// What it is good for.
    let audience: TokenAudience
    /// The expiry in whole seconds since 1970-01-01 UTC.
    let expiry: Int64
}
