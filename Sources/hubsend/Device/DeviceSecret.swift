import CampaignCore
import DeviceClient

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
