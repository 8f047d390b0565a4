import CampaignCore

/// Finds out who makes a request.
protocol SignIn: Sendable {
    /// Checks the credentials of a request.
    ///
    /// - Parameters:
    ///   - authorization: its `Authorization` field; nil without one.
    ///   - address: where it comes from, behind trusted proxies the client's own; nil: not known.
    func caller(authorization: String?, from address: IPAddress?) async throws(SignInRefusal)
        -> Caller
}

/// Who makes a request, proven.
struct Caller: Hashable, Sendable {
    /// How they proved it.
    enum Proof: String, Hashable, Sendable {
        case password
        case token
    }

    let username: Username
    let proof: Proof
}

/// Why a request has no ``Caller``; the text is for the audit, never for the client.
enum SignInRefusal: Error, Hashable, Sendable {
    /// No credentials, or wrong ones: 401 with `WWW-Authenticate`.
    case unauthenticated(reason: String)
    /// Too many wrong passwords for this user from this address, or from this address: 429.
    case tooManyFailures(retryAfter: Duration)
    /// Nobody can sign in at the moment (a broken password or key file, no room for another password
    /// check): 503.
    case closed(reason: String, retryAfter: Duration)
}
