import CampaignCore
import DeviceClient
import DeviceSimulation
import Foundation
import LocalHub

extension PayloadBackend {
    /// Fetches payloads for the hub's inbox page as a user's device does; does not connect yet.
    ///
    /// - Parameter explain: explains errors that are not about the user.
    init(
        at address: String, of user: Username, _ invocation: Invocation, userAgent: String,
        explain: @escaping @Sendable (any Error) -> String
    ) async throws {
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        let reader = try PayloadReader(
            backend: url, user: user, signIn: try await DeviceSignIn(of: user, invocation),
            userAgent: userAgent, explain: explain)
        self.init(address: url.absoluteString, user: user.text) { id throws(Failure) in
            do throws(PayloadReader.Failure) {
                let content = try await reader.fetch(id)
                return Payload(mediaType: content.mediaType, content: Array(content.data))
            } catch {
                throw Failure(isGone: error.isGone, explanation: error.explanation)
            }
        }
    }
}
