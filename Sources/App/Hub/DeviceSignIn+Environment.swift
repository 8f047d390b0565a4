import CampaignCore
import DeviceClient
import DeviceSimulation

extension DeviceSignIn {
    private static let password = "HUBSEND_DEVICE_PASSWORD"
    private static let token = "HUBSEND_DEVICE_TOKEN"

    /// - Throws: `SettingFault` when it cannot be had; `DeviceFault` for neither, or both.
    init(of user: Username, _ invocation: Invocation) async throws {
        let password = Secret.inEnvironment(Self.password, of: invocation)
        let token = Secret.inEnvironment(Self.token, of: invocation)
        if let password, let token {
            throw DeviceFault.severalCredentials(password.setting, token.setting)
        }
        guard let named = password ?? token else {
            throw DeviceFault.noCredential(of: user, variables: [Self.password, Self.token])
        }
        // A command runs once; a file is read again for each request, so a renewed token counts.
        let text = try await named.text()
        let secret: Secret =
            if case .command(_, let from) = named { .value(text, from: from) } else { named }
        let isToken = token != nil
        self.init(isToken: isToken, setting: secret.setting) {
            guard let text = try secret.textWithoutCommands() else { return nil }
            return isToken ? .token(text) : .password(user: user.text, password: text)
        }
    }
}
