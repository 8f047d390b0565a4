import CampaignCore
import HTTPTypes

/// Finds out where a request comes from and who makes it, and refuses what must not come in.
///
/// Whether a person may fetch a certain notification is decided later: see
/// ``BackendExchange/fetch(_:)``.
struct AccessControl: Sendable {
    let signIn: any SignIn
    /// What `WWW-Authenticate` names for those who did not sign in.
    let challenges: [String]
    /// What the server speaks on its connections.
    let scheme: WebScheme
    /// Proxies that are believed when they say where a request comes from.
    let proxies: [AddressRange]

    /// Finds out where a request comes from.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - peer: the other end of the connection; nil: not known.
    /// - Returns: the client, and what it sent the request to.
    /// - Throws: an ``AccessRefusal`` when what a proxy says is malformed or contradicts itself.
    func source(
        of head: HTTPRequest, peer: IPAddress?
    ) throws(AccessRefusal) -> RequestSource {
        do {
            return try RequestSource(
                peer: peer, scheme: scheme, host: head.authority, fields: head.headerFields,
                proxies: proxies)
        } catch {
            throw AccessRefusal(.malformed(reason: error.message), error.rawValue)
        }
    }

    /// Finds out who makes a request.
    ///
    /// Credentials that others may have read on the way are not even looked at.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - source: where it comes from.
    func caller(
        of head: HTTPRequest, from source: RequestSource
    ) async throws(AccessRefusal) -> Caller {
        if OriginRule.refuses(head.method, head.headerFields, to: source) {
            throw AccessRefusal(.foreignOrigin)
        }
        let authorization = head.headerFields[.authorization]
        if authorization != nil, source.isProxySilent {
            throw AccessRefusal(
                .malformed(reason: "The proxy in front does not say who its client is."),
                "the proxy sent neither Forwarded nor X-Forwarded-For")
        }
        if authorization != nil, !source.mayCarryCredentials {
            throw AccessRefusal(.credentialsInPlain)
        }
        do {
            return try await signIn.caller(authorization: authorization, from: source.address)
        } catch {
            throw refusal(error, claimed: authorization.flatMap(Self.claimedUser))
        }
    }

    private func refusal(_ refusal: SignInRefusal, claimed: Username?) -> AccessRefusal {
        switch refusal {
        case .unauthenticated(let reason):
            AccessRefusal(
                .unauthenticated(challenges: challenges), reason, claimed: claimed)
        case .tooManyFailures(let delay):
            AccessRefusal(.tooManyFailures(after: delay), claimed: claimed)
        case .closed(let reason, let delay):
            AccessRefusal(.unavailable(after: delay), reason, claimed: claimed)
        }
    }

    /// The name in credentials that were refused; nil, and not in the audit, when no user can have it.
    private static func claimedUser(_ authorization: String) -> Username? {
        do throws(CredentialsFault) {
            guard case .basic(let encoded) = try AuthorizationField(authorization) else {
                return nil
            }
            return try BasicCredentials(encoded: encoded).user
        } catch {
            return nil
        }
    }
}

/// Why a request did not come in: what its client learns, and what the audit says.
struct AccessRefusal: Error {
    let failure: BackendFailure
    /// A few words of our own; nil: the failure says it all.
    let reason: String?
    /// The name that the request gave; nil: none, or none that a user can have.
    let claimed: Username?

    init(_ failure: BackendFailure, _ reason: String? = nil, claimed: Username? = nil) {
        self.failure = failure
        self.reason = reason
        self.claimed = claimed
    }
}
