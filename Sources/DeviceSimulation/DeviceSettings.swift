package import CampaignCore
package import DeviceClient
package import Foundation

package struct DeviceSettings: Sendable {
    package let user: Username
    package let platform: DevicePlatform
    /// The device's handle at the push service; if nil, each device generates its own handle.
    package var handle: String?
    package var tags: [String] = []
    /// The number of devices, at least 1.
    package var count = 1
    package let backend: URL
    package let signIn: DeviceSignIn
    package var marksRead = true
    package var folder: DeviceFolder?
    package var isJSON = false
    /// Whether the devices print only what they show, not that they have registered.
    package var isQuiet = false

    /// Creates settings from those that have no default.
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

    /// Explains an error from the backend in full sentences, with the user, the address and what to
    /// do.
    package func sentence(_ error: BackendClientError, isRegistering: Bool = false) -> String {
        let address = backend.absoluteString
        let subject = "The backend \(address)"
        let secret = "\(signIn.isToken ? "token" : "password") in \(signIn.setting)"
        switch error {
        case .credentialRefused:
            return """
                \(subject) refuses the \(secret) for \(user). Check that variable, and \
                `backend.\(signIn.isToken ? "jwt" : "users")` of `hubsend serve`.
                """
        case .credentialUnusable:
            return """
                The \(secret) cannot be sent to the backend \(address) for \(user): it is \
                too long or contains an invalid character. Use another one.
                """
        case .forbidden where isRegistering && !tags.isEmpty:
            return """
                \(subject) does not let \(user) register with the \(tags.count == 1 ? "tag" : "tags") \
                \(tags.joined(separator: ", ")). `backend.allowed_tags` of `hubsend serve` lists the allowed tags.
                """
        case .status(429, let wait):
            let time = wait.map { " in \($0.components.seconds) s" } ?? " later"
            return
                "\(subject) blocks sign-ins as \(user) after too many failures. Try again\(time)."
        case .unreachable:
            return """
                \(subject) cannot be reached. Start `hubsend serve`, or set another address with --backend, and try again.
                """
        case .timedOut:
            return
                "\(subject) did not answer in time. Check the output of `hubsend serve`, and try again."
        default:
            return "\(error) The backend is \(address), and the user is \(user)."
        }
    }
}

extension DeviceSettings {
    /// Explains in full sentences why a placeholder was not replaced; nil if it was not meant to be
    /// replaced.
    func trouble(_ reason: PlaceholderReason) -> String? {
        switch reason {
        case .backend(let error): sentence(error)
        case .late: sentence(.timedOut)
        case .credentialUnavailable:
            "The credential in \(signIn.setting) cannot be read. Check that variable."
        case .nothingToReplace, .signedOut, .gone: nil
        }
    }
}

package struct DeviceSignIn: Sendable {
    /// Whether the credential is a token; if false, it is a password.
    package let isToken: Bool
    /// The environment variable that contains the credential.
    package let setting: String
    /// Returns the current credential; it is called for each request.
    package let current: @Sendable () throws -> DeviceCredential?

    package init(
        isToken: Bool, setting: String, current: @escaping @Sendable () throws -> DeviceCredential?
    ) {
        self.isToken = isToken
        self.setting = setting
        self.current = current
    }
}
