import CampaignCore

protocol SignIn: Sendable {
    /// - Parameter address: the client's address, even behind trusted proxies; nil if unknown.
    func caller(authorization: String?, from address: IPAddress?) async throws(SignInRefusal)
        -> Caller
}

struct Caller: Hashable, Sendable {
    enum Proof: String, Hashable, Sendable {
        case password
        case token
    }

    let username: Username
    let proof: Proof
}

/// Why a sign-in was refused; the reason is for the audit, never for the client.
enum SignInRefusal: Error, Hashable, Sendable {
    /// The credentials are missing or wrong: 401 with `WWW-Authenticate`.
    case unauthenticated(reason: String)
    /// The address sent too many wrong passwords, for this user or in total: 429.
    case tooManyFailures(retryAfter: Duration)
    /// Nobody can sign in at the moment (a broken password or key file, a full queue): 503.
    case closed(reason: String, retryAfter: Duration)
}
