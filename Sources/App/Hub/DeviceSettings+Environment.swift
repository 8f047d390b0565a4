import CampaignCore
import DeviceClient
import DeviceSimulation
import Foundation

extension DeviceSettings {
    /// Uses the backend that an option or the environment names, else the one on this machine.
    init(
        user: Username, platform: DevicePlatform, backend: String?, _ invocation: Invocation
    ) async throws {
        let address = backend ?? invocation["HUBSEND_BACKEND"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        self.init(
            user: user, platform: platform, backend: url,
            signIn: try await DeviceSignIn(of: user, invocation))
    }
}
