package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func notification(
        _ id: NotificationID, for recipient: Username, hasContent: Bool
    ) async throws -> ReceivedNotification? {
        try await lookUp { [keyring] db in
            let held = try HeldNotification.find(id, of: recipient, hasContent: hasContent, db)
            guard let held, held.isFetchable else { return nil }
            return try held.received(by: recipient, keyring, db)
        }
    }
}
