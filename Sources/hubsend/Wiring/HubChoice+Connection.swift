import CampaignOperations
import HubOperations
import Logging
import Settings

extension HubCaller {
    static let hubsend = HubCaller(userAgent: Hubsend.userAgent)
}

extension HubChoice {
    /// Connects as this program for the duration of some work.
    func connect<Value: Sendable>(
        logger: Logger, _ body: (HubConnection) async throws -> Value
    ) async throws -> Value {
        try await connect(as: .hubsend, logger: logger, body)
    }
}
