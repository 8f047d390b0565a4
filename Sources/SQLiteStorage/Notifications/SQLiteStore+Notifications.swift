package import CampaignCore
import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db) else { return nil }
            let statement = try NativeStatement(Self.content, db)
            statement.bind(place.run, at: 1)
            statement.bind(place.number, at: 2)
            statement.bind(place.number, at: 3)
            var found: NotificationRow?
            try statement.forEachRow { found = try NotificationRow($0) }
            let name =
                place.isShared
                ? nil : try RecipientOrder(run: place.run, db).name(of: place.number)
            return try found?.stored(for: name, keyring, db)
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
    /// of a fixed number of steps.
    func find(
        _ id: NotificationID, for recipient: Username, _ query: String, _ db: Database
    ) throws -> ReceivedNotification? {
        guard let (nearest, place) = try NotificationPlace.nearest(id, db) else { return nil }
        let number = try place.number(of: recipient, db)
        guard nearest == id, let number, !place.isRevoked, place.kind != .alert else { return nil }
        let statement = try NativeStatement(query, db)
        statement.bind(place.run, at: 1)
        statement.bind(place.number, at: 2)
        statement.bind(number, at: 3)
        var found: (row: NotificationRow, fetched: Date?, read: Date?, length: Int?)?
        try statement.forEachRow { row in
            found = (
                try NotificationRow(row), Self.date(row, Self.receipt),
                Self.date(row, Self.receipt + 1),
                row.isNull(Self.length) ? nil : row.integer(Self.length)
            )
        }
        guard let found else { throw DatabaseError.damaged }
        let stored = try found.row.stored(
            for: place.isShared ? nil : recipient, keyring, db)
        return ReceivedNotification(
            notification: stored, byteCount: stored.bytes?.count ?? found.length,
            place: ReceiptPlace(run: place.run, number: number), fetched: found.fetched,
            read: found.read)
    }

    /// nil for NULL.
    static func date(_ row: NativeRow, _ column: Int32) -> Date? {
        row.isNull(column) ? nil : StoredTime.date(Int64(row.integer(column)))
    }

    /// The first receipt column, after a notification's.
    private static let receipt = NotificationRow.columnCount

    /// The column with the length of content that is not secret.
    private static let length = receipt + 2

    static let content = selection(NotificationRow.columns)

    /// The same without its content; what is encrypted is left out unless it is short, which it is beside a file.
    static let outline = selection(
        NotificationRow.columns
            .replacing("n.sealed", with: "iif(n.content IS NULL, NULL, n.sealed)")
            .replacing("c.bytes", with: "NULL"))

    /// `length` of bytes does not read them.
    private static func selection(_ columns: String) -> String {
        """
        SELECT \(columns), t.fetched, t.read, length(c.bytes)
        FROM notifications n
        CROSS JOIN runs ON runs.key = n.run
        LEFT JOIN contents c ON c.key = n.content
        LEFT JOIN receipts t ON t.run = n.run AND t.number = ?3
        WHERE n.run = ?1 AND n.number = ?2
        """
    }
}
