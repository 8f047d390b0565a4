import CampaignCore
import HTTPTypes

/// Finds out where a request comes from and who makes it, and refuses what must not come in.
///
/// Whether a person may fetch a certain notification is decided later:
/// ``BackendExchange/fetch(_:)``.
struct AccessControl: Sendable {
    let signIn: any SignIn
    /// The values of `WWW-Authenticate`.
    let challenges: [String]
    let scheme: WebScheme
    /// The proxies whose forwarding fields are trusted.
    let proxies: [AddressRange]

    /// Finds the client and what it sent the request to.
    ///
    /// - Throws: ``AccessRefusal`` when a proxy's fields are malformed or disagree.
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

    /// Finds out who makes a request; ignores credentials that others may have read on the way.
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

    /// The name in refused credentials; nil if it cannot be a username.
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

/// Why a request was refused, for its client and for the audit.
struct AccessRefusal: Error {
    let failure: BackendFailure
    /// Our own words; nil when the failure says it all.
    let reason: String?
    /// The name in the request; nil if there was none or it cannot be a username.
    let claimed: Username?

    init(_ failure: BackendFailure, _ reason: String? = nil, claimed: Username? = nil) {
        self.failure = failure
        self.reason = reason
        self.claimed = claimed
    }
}
