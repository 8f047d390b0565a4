import DeviceClient
import Foundation

extension DeviceSettings {
    /// Says what a device could not do at the backend: who, where, and what to do.
    ///
    /// - Parameters:
    ///   - error: why not.
    ///   - isRegistering: whether it wanted to register, so that its tags may be the reason.
    /// - Returns: the sentences, and the exit code.
    func failure(_ error: BackendClientError, isRegistering: Bool = false) -> CommandFailure {
        CommandFailure(
            FailureTranslation.failure(for: error).status,
            sentence(error, isRegistering: isRegistering))
    }

    private func sentence(_ error: BackendClientError, isRegistering: Bool) -> String {
        let address = backend.absoluteString
        let place = "The backend \(address)"
        let secret = "\(credential.isToken ? "token" : "password") in \(credential.setting)"
        switch error {
        case .credentialRefused:
            return """
                \(place) refuses the \(secret) for \(user). Look at that variable, and at \
                `backend.\(credential.isToken ? "jwt" : "users")` of `hubsend serve`.
                """
        case .credentialUnusable:
            return """
                The \(secret) cannot be sent to the backend \(address) for \(user): it is \
                too long, or has a character that is not allowed there. Set another one.
                """
        case .forbidden where isRegistering && !tags.isEmpty:
            return """
                \(place) does not let \(user) register with the \(tags.count == 1 ? "tag" : "tags") \
                \(tags.joined(separator: ", ")). `backend.allowed_tags` of `hubsend serve` says which are allowed.
                """
        case .status(429, let wait):
            let time = wait.map { " in \($0.components.seconds) s" } ?? " later"
            return
                "\(place) lets nobody sign in as \(user) after too many failures. Try again\(time)."
        case .unreachable:
            return """
                \(place) cannot be reached. Start `hubsend serve`, or name another one by --backend, and try again.
                """
        case .timedOut:
            return
                "\(place) did not answer in time. Look at what `hubsend serve` says, and try again."
        default:
            return "\(error) That is the backend \(address), asked for \(user)."
        }
    }
}
