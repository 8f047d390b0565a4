package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db),
                let row = try db.row(Self.notification, [place.run, place.number])
            else { return nil }
            var name: Username?
            if !place.isShared {
                let recipient = try db.row(
                    "SELECT name FROM recipients WHERE run = $1 AND number = $2",
                    [place.run, place.number])
                guard let recipient else { throw DamagedValue() }
                name = Username(checked: try recipient.text(0))
            }
            return try NotificationRow(row).stored(for: name, keyring, db)
        }
    }

    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await notification(id, for: recipient, hasContent: true)
    }

    package func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await notification(id, for: recipient, hasContent: false)
    }

    private func notification(
        _ id: NotificationID, for recipient: Username, hasContent: Bool
    ) async throws -> ReceivedNotification? {
        try await lookUp { [keyring] db in
            let held = try HeldNotification.find(id, of: recipient, hasContent: hasContent, db)
            guard let held, held.isFetchable else { return nil }
            return try held.received(by: recipient, keyring, db)
        }
    }

    private static let notification = """
        SELECT \(NotificationRow.columns)
        FROM notifications n
        JOIN runs ON runs.key = n.run
        LEFT JOIN contents c ON c.key = n.content
        WHERE n.run = $1 AND n.number = $2
        """
}
