import struct Foundation.Date

/// Checks tokens against the keys that count for a request: the namespace's, which are good for everything, and those of
/// the hub in its path, which are good for that hub alone.
struct RequestVerifier: Sendable {
    /// The namespace's keys.
    let keys: TokenVerifier
    /// The hubs, which have keys of their own.
    let namespace: HubNamespace

    /// The rule that a request's token proves; throws when there is no token, or none that is good for this request.
    func rule(
        provenBy request: HubRequest, now: Date
    ) throws(AuthorizationFailure) -> LocalHubRule {
        let hub = request.target.segments.first.flatMap(namespace.hub(named:))
        guard let own = hub?.keys else { return try rule(provenBy: request, with: keys, now: now) }
        // What a hub's key has signed is not tried with the namespace's keys each time.
        if own.hasProven(request.headers["authorization"]) {
            return try rule(provenBy: request, with: own, now: now)
        }
        do {
            return try rule(provenBy: request, with: keys, now: now)
        } catch {
            guard error == .invalidSignature else { throw error }
            return try rule(provenBy: request, with: own, now: now)
        }
    }

    private func rule(
        provenBy request: HubRequest, with keys: TokenVerifier, now: Date
    ) throws(AuthorizationFailure) -> LocalHubRule {
        try keys.rule(
            provenBy: request.headers["authorization"], host: request.authority.host,
            path: request.target.path, now: now)
    }
}
