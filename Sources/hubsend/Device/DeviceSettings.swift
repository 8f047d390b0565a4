import CampaignCore
import DeviceClient
import Foundation
import Settings

/// What `hubsend device` was asked for.
struct DeviceSettings: Sendable {
    let user: Username
    let platform: DevicePlatform
    /// nil: each device makes one up.
    let handle: String?
    let tags: [String]
    let count: Int
    let backend: URL
    let credential: DeviceSecret
    /// The address of the hub's event stream about the user's devices.
    let events: DeviceEvents
    /// When it is enough.
    let goal: DeviceGoal
    /// How long to wait at the most; nil: for ever.
    let duration: Duration?
    let marksRead: Bool
    /// nil: nothing is saved.
    let folder: DeviceFolder?
    let format: ListFormat
    let isQuiet: Bool

    /// Limits of the devices' clients.
    var client: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(20)
        return settings
    }
}

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

/// How simulated devices sign in.
struct DeviceSecret: Sendable {
    /// The variable with the password.
    static let password = "HUBSEND_DEVICE_PASSWORD"
    /// The variable with a token instead.
    static let token = "HUBSEND_DEVICE_TOKEN"

    private let user: Username
    /// Whether it is a token and not a password.
    let isToken: Bool
    private let secret: Secret

    /// The variable that it comes from.
    var setting: String { secret.setting }

    /// Looks for a password or token.
    ///
    /// - Throws: ``CommandFailure`` when there is none, both, or it cannot be had.
    init(of user: Username, _ invocation: Invocation) async throws {
        let password = Secret.inEnvironment(Self.password, of: invocation)
        let token = Secret.inEnvironment(Self.token, of: invocation)
        if let password, let token {
            throw CommandFailure(
                .configuration,
                "\(password.setting) and \(token.setting) are both set; a device signs in by one of them."
            )
        }
        guard let secret = password ?? token else {
            throw CommandFailure(
                .configuration,
                """
                Nothing says how \(user) signs in. Set \(Self.password) or \(Self.token), or one of them with _FILE or \
                _COMMAND behind it.
                """)
        }
        self.user = user
        isToken = token != nil
        // A command runs once; a file is read again for each request, so that a renewed token counts.
        self.secret =
            if case .command(_, let from) = secret {
                .value(try await secret.text(), from: from)
            } else {
                secret
            }
        _ = try await self.secret.text()
    }

    /// The credential as it is now.
    @Sendable func current() throws -> DeviceCredential? {
        guard let text = try secret.textWithoutCommands() else { return nil }
        return isToken ? .token(text) : .password(user: user.text, password: text)
    }
}
