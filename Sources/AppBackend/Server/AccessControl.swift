import CampaignCore
import HTTPTypes

/// Determines the origin and the caller of a request, and refuses requests that are not allowed.
///
/// Whether a user may fetch a particular notification is decided later:
/// ``BackendExchange/fetch(_:)``.
struct AccessControl: Sendable {
    let signIn: any SignIn
    let challenges: [String]
    let scheme: WebScheme
    /// The proxies whose forwarding fields are trusted.
    let proxies: [AddressRange]
    /// The origins of web pages that may call this server.
    let origins: Set<String>

    /// Determines the client and the host that it addressed; throws if a proxy's fields disagree.
    func source(
        of head: HTTPRequest, peer: IPAddress?
    ) throws(AccessRefusal) -> RequestSource {
        do {
            return try RequestSource(
                peer: peer, scheme: scheme, host: head.authority, fields: head.headerFields,
                proxies: proxies)
        } catch {
            throw AccessRefusal(.malformed(reason: error.message), error.reason)
        }
    }

    /// Identifies the caller; refuses credentials that others may have read in transit.
    func caller(
        of head: HTTPRequest, from source: RequestSource
    ) async throws(AccessRefusal) -> Caller {
        if let reason = OriginRule.objection(
            to: head.method, head.headerFields, of: source, allowing: origins)
        {
            throw AccessRefusal(.foreignOrigin, reason)
        }
        let authorization = head.headerFields[.authorization]
        if authorization != nil, source.isProxySilent {
            throw AccessRefusal(
                .malformed(reason: "The proxy does not identify its client."),
                "the proxy sent neither Forwarded nor X-Forwarded-For")
        }
        if authorization != nil, !source.mayCarryCredentials {
            throw AccessRefusal(.credentialsInPlain, source.plainReason(head.headerFields))
        }
        do {
            return try await signIn.caller(authorization: authorization, from: source.address)
        } catch {
            throw refusal(error, claimed: authorization.flatMap(Self.claimedUser))
        }
    }

    /// Answers a preflight request, in which a browser asks whether a page may send a request;
    /// returns nil for any other request.
    func preflight(
        _ head: HTTPRequest, from source: RequestSource, methods: String
    ) throws(AccessRefusal) -> HTTPFields? {
        guard head.method == .options, let origin = head.headerFields[.origin],
            head.headerFields[.accessControlRequestMethod] != nil
        else { return nil }
        guard OriginRule.isListed(origin, in: origins) else {
            throw AccessRefusal(.foreignOrigin, OriginRule.reason(origin, of: source))
        }
        return [
            .accessControlAllowMethods: methods,
            .accessControlAllowHeaders: "Authorization, Content-Type, If-None-Match",
            .accessControlMaxAge: "7200",
        ]
    }

    /// Lets a page of a listed origin read a response, including error responses.
    func letPagesRead(_ fields: inout HTTPFields, of head: HTTPRequest) {
        guard !origins.isEmpty else { return }
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = head.headerFields[.origin], OriginRule.isListed(origin, in: origins)
        else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = "ETag, Link, Retry-After, WWW-Authenticate"
    }

    private func refusal(_ refusal: SignInRefusal, claimed: Username?) -> AccessRefusal {
        switch refusal {
        case .unauthenticated(let reason):
            AccessRefusal(
                .unauthenticated(challenges: challenges), reason, claimed: claimed)
        case .tooManyFailures(let delay):
            AccessRefusal(
                .tooManyFailures(after: delay),
                "too many failures from this address, or by this user from this address",
                claimed: claimed)
        case .closed(let reason, let delay):
            AccessRefusal(.unavailable(after: delay), reason, claimed: claimed)
        }
    }

    private static func claimedUser(_ authorization: String) -> Username? {
        do throws(CredentialsError) {
            guard case .basic(let encoded) = try AuthorizationField(authorization) else {
                return nil
            }
            return try BasicCredentials(encoded: encoded).user
        } catch {
            return nil
        }
    }
}

/// Why a request was refused, for the client and the audit.
struct AccessRefusal: Error {
    let failure: BackendFailure
    /// The reason for the audit, if the failure itself is not specific enough.
    let reason: String?
    /// The name in the request, if it is a valid username.
    let claimed: Username?

    init(_ failure: BackendFailure, _ reason: String? = nil, claimed: Username? = nil) {
        self.failure = failure
        self.reason = reason
        self.claimed = claimed
    }
}
