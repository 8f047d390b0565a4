import CampaignCore

@testable import AppBackend

/// Accepts the token `NAME` and refuses requests without one.
struct TokenSignIn: SignIn {
    func caller(
        authorization: String?, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        guard let authorization, authorization.hasPrefix("Bearer ") else {
            throw .unauthenticated(reason: "there is no token")
        }
        return Caller(
            username: Username(checked: String(authorization.dropFirst(7))), proof: .token)
    }
}
