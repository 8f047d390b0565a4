package import CampaignCore
package import DeviceClient
package import Foundation

package struct DeviceSettings: Sendable {
    package let user: Username
    package let platform: DevicePlatform
    /// The device's handle at the push service; nil: each makes one up.
    package var handle: String?
    package var tags: [String] = []
    /// At least 1.
    package var count = 1
    package let backend: URL
    package let signIn: DeviceSignIn
    package var marksRead = true
    package var folder: DeviceFolder?
    package var isJSON = false
    /// Whether they only say what they show.
    package var isQuiet = false

    /// Takes what has no default.
    package init(user: Username, platform: DevicePlatform, backend: URL, signIn: DeviceSignIn) {
        self.user = user
        self.platform = platform
        self.backend = backend
        self.signIn = signIn
    }

    var client: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(20)
        return settings
    }

    /// Says what a device could not do at the backend, in full sentences: who, where, what to do.
    package func sentence(_ error: BackendClientError, isRegistering: Bool = false) -> String {
        let address = backend.absoluteString
        let place = "The backend \(address)"
        let secret = "\(signIn.isToken ? "token" : "password") in \(signIn.setting)"
        switch error {
        case .credentialRefused:
            return """
                \(place) refuses the \(secret) for \(user). Look at that variable, and at \
                `backend.\(signIn.isToken ? "jwt" : "users")` of `hubsend serve`.
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

extension DeviceSettings {
    /// Explains, in full sentences, why a placeholder was not replaced; nil where it should stay.
    func trouble(_ reason: PlaceholderReason) -> String? {
        switch reason {
        case .backend(let error): sentence(error)
        case .late: sentence(.timedOut)
        case .credentialUnavailable:
            "What \(signIn.setting) names cannot be read. Look at that variable."
        case .nothingToReplace, .signedOut, .gone: nil
        }
    }
}

package struct DeviceSignIn: Sendable {
    /// Otherwise a password.
    package let isToken: Bool
    /// The variable that holds it.
    package let setting: String
    /// The current credential, asked for each request.
    package let current: @Sendable () throws -> DeviceCredential?

    package init(
        isToken: Bool, setting: String, current: @escaping @Sendable () throws -> DeviceCredential?
    ) {
        self.isToken = isToken
        self.setting = setting
        self.current = current
    }
}
