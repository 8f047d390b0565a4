import CampaignCore

/// Finds out who makes a request.
protocol SignIn: Sendable {
    /// Checks the credentials of a request.
    ///
    /// - Parameters:
    ///   - authorization: its `Authorization` field; nil without one.
    ///   - address: where it comes from, behind trusted proxies the client's own; nil: not known.
    /// - Returns: who it is.
    /// - Throws: ``SignInRefusal``.
    func caller(authorization: String?, from address: IPAddress?) async throws(SignInRefusal)
        -> Caller
}
