import CampaignCore
import HTTPTypes

/// Decides whether a request comes in, and as whom.
struct Entrance: Sendable {
    let signIn: any SignIn
    /// What `WWW-Authenticate` names for those who did not sign in.
    let challenges: [String]
    /// What the server speaks on its connections.
    let scheme: WebScheme
    /// Proxies whose word on where a request comes from counts.
    let proxies: [AddressRange]

    /// Finds out where a request comes from.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - peer: the other end of the connection; nil: not known.
    /// - Returns: the client, and what it sent the request to.
    /// - Throws: an ``EntranceRefusal`` when a proxy handed on what cannot be believed.
    func source(
        of head: HTTPRequest, peer: IPAddress?
    ) throws(EntranceRefusal) -> RequestSource {
        do {
            return try RequestSource(
                peer: peer, scheme: scheme, host: head.authority, fields: head.headerFields,
                proxies: proxies)
        } catch {
            throw EntranceRefusal(.malformed(reason: error.message), error.rawValue)
        }
    }

    /// Finds out who makes a request.
    ///
    /// Credentials that others may have read on the way are not even looked at.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - source: where it comes from.
    /// - Returns: who it is.
    /// - Throws: ``EntranceRefusal``.
    func caller(
        of head: HTTPRequest, from source: RequestSource
    ) async throws(EntranceRefusal) -> Caller {
        if OriginRule.refuses(head.method, head.headerFields, to: source) {
            throw EntranceRefusal(.foreignOrigin)
        }
        let authorization = head.headerFields[.authorization]
        if authorization != nil, source.isProxySilent {
            throw EntranceRefusal(
                .malformed(reason: "The proxy in front does not say who its client is."),
                "the proxy sent neither Forwarded nor X-Forwarded-For")
        }
        if authorization != nil, !source.mayCarryCredentials {
            throw EntranceRefusal(.credentialsInPlain)
        }
        do {
            return try await signIn.caller(authorization: authorization, from: source.address)
        } catch {
            throw refusal(error, claimed: authorization.flatMap(Self.claimedUser))
        }
    }

    private func refusal(_ refusal: SignInRefusal, claimed: Username?) -> EntranceRefusal {
        switch refusal {
        case .unauthenticated(let reason):
            EntranceRefusal(
                .unauthenticated(challenges: challenges), reason, claimed: claimed)
        case .tooManyFailures(let delay):
            EntranceRefusal(.tooManyFailures(after: delay), claimed: claimed)
        case .closed(let reason, let delay):
            EntranceRefusal(.unavailable(after: delay), reason, claimed: claimed)
        }
    }

    /// The name in credentials that were refused; what is none is not for the audit.
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
struct EntranceRefusal: Error {
    let failure: BackendFailure
    /// A few words of our own; nil: the failure says it all.
    let reason: String?
    /// Who the request said it was; nil: it did not say, or no name that anybody could have.
    let claimed: Username?

    init(_ failure: BackendFailure, _ reason: String? = nil, claimed: Username? = nil) {
        self.failure = failure
        self.reason = reason
        self.claimed = claimed
    }
}
