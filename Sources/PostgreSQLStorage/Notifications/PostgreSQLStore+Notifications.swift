package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db),
                let row = try db.row(Self.content, [place.run, place.number, place.number])
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
        try await read { db in try find(id, for: recipient, Self.content, db) }
    }

    package func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await read { db in try find(id, for: recipient, Self.outline, db) }
    }

    /// A notification as one recipient may fetch it, by ``content`` or ``outline``.
    ///
    /// An unknown or foreign id costs the same as the person's own: one search for an id, and one
    /// for a name.
    private func find(
        _ id: NotificationID, for recipient: Username, _ query: String,
        _ db: PostgreSQLConnection
    ) throws -> ReceivedNotification? {
        guard let (nearest, place) = try NotificationPlace.nearest(id, db) else { return nil }
        let holding = try place.holding(of: recipient, db)
        guard nearest == id, let holding, let number = holding.number, !holding.isRevoked,
            place.kind != .alert
        else { return nil }
        guard let row = try db.row(query, [place.run, place.number, number]) else {
            throw DamagedValue()
        }
        let stored = try NotificationRow(row).stored(
            for: place.isShared ? nil : recipient, keyring, db)
        return ReceivedNotification(
            notification: stored,
            byteCount: try stored.bytes?.count ?? row.optionalInt(Self.length),
            place: ReceiptPlace(run: place.run, number: number),
            fetched: try row.optionalInt64(Self.receipt).map(StoredTime.date),
            read: try row.optionalInt64(Self.receipt + 1).map(StoredTime.date))
    }

    /// The first receipt column, after a notification's.
    private static let receipt = NotificationRow.columnCount

    /// The column with the length of content that is not secret.
    private static let length = receipt + 2

    private static let content = selection(NotificationRow.columns)

    /// The same without its content; what is encrypted is left out unless it is short, which it is beside a file.
    private static let outline = selection(
        NotificationRow.columns
            .replacing("n.sealed", with: "CASE WHEN n.content IS NOT NULL THEN n.sealed END")
            .replacing("c.bytes", with: "NULL::bytea"))

    /// `length` of bytes that are stored apart does not read them.
    private static func selection(_ columns: String) -> String {
        """
        SELECT \(columns), t.fetched, t.read, length(c.bytes)
        FROM notifications n
        JOIN runs ON runs.key = n.run
        LEFT JOIN contents c ON c.key = n.content
        LEFT JOIN receipts t ON t.run = $1 AND t.number = $3
        WHERE n.run = $1 AND n.number = $2
        """
    }
}
