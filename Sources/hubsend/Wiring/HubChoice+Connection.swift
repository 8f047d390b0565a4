import CampaignOperations
import HubOperations
import Logging
import Settings

extension HubCaller {
    /// This program.
    static let hubsend = HubCaller(userAgent: Hubsend.userAgent)
}

extension HubChoice {
    /// Connects as this program for the time of some work, as `connect(as:logger:_:)` does.
    func connect<Value: Sendable>(
        logger: Logger, _ body: (HubConnection) async throws -> Value
    ) async throws -> Value {
        try await connect(as: .hubsend, logger: logger, body)
    }
}
