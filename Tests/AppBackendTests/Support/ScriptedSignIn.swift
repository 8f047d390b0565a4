import CampaignCore

@testable import AppBackend

/// Accepts `Test NAME`, and refuses other credentials as scripted.
struct ScriptedSignIn: SignIn {
    func caller(
        authorization: String?, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        switch authorization {
        case "Test !limited":
            throw .tooManyFailures(retryAfter: .milliseconds(29_500))
        case "Test !closed":
            throw .closed(reason: "the password file is broken", retryAfter: .seconds(10))
        case let text? where text.hasPrefix("Test "):
            return Caller(username: Username(checked: String(text.dropFirst(5))), proof: .token)
        default:
            throw .unauthenticated(reason: "the request has no credentials")
        }
    }
}
