package import CampaignCore
package import DeviceClient
package import DeviceSimulation
import Foundation
package import Settings

extension DeviceSettings {
    /// Settings of devices at a backend that an option or the environment names, else at the one on this machine.
    ///
    /// - Parameters:
    ///   - user: whose devices they are.
    ///   - platform: their push service.
    ///   - backend: the address that an option gives.
    ///   - invocation: with the environment.
    /// - Throws: `BackendClientError` when the address cannot be one, and as `DeviceSignIn.init(of:_:)`.
    package init(
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
