/// Why a request has no ``Caller``; the text is for the audit, never for the client.
enum SignInRefusal: Error, Hashable, Sendable {
    /// No credentials, or wrong ones: 401 with `WWW-Authenticate`.
    case unauthenticated(reason: String)
    /// Too many wrong passwords for this user from this address, or from this address: 429.
    case tooManyFailures(retryAfter: Duration)
    /// Nobody can be let in at the moment (a broken password or key file, no room for another
    /// password check): 503.
    case closed(reason: String, retryAfter: Duration)
}
