package import CampaignCore
import FoundationEssentials
import GRDB

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
                place.number == 0
                ? nil : try RecipientOrder(run: place.run, db).name(of: place.number)
            return try found?.stored(for: name, keyring, db)
        }
    }

    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db) else {
                try Self.takeAsLong(for: recipient, db)
                return nil
            }
            guard let number = try place.number(of: recipient, db), !place.isRevoked,
                place.kind != .alert
            else { return nil }
            let statement = try NativeStatement(Self.content, db)
            statement.bind(place.run, at: 1)
            statement.bind(place.number, at: 2)
            statement.bind(number, at: 3)
            var found: (row: NotificationRow, fetched: Date?, read: Date?)?
            try statement.forEachRow { row in
                found = (
                    try NotificationRow(row), Self.date(row, Self.receipt),
                    Self.date(row, Self.receipt + 1)
                )
            }
            guard let found else { throw DatabaseError.damaged }
            return ReceivedNotification(
                notification: try found.row.stored(
                    for: place.number == 0 ? nil : recipient, keyring, db),
                place: ReceiptPlace(run: place.run, number: number), fetched: found.fetched,
                read: found.read)
        }
    }

    /// What an id that does not exist costs is what another person's does: a search among one run's recipients.
    private static func takeAsLong(for recipient: Username, _ db: Database) throws {
        let newest = try NativeStatement("SELECT max(key) FROM runs", db)
        var run: Int64?
        try newest.forEachRow { run = $0.isNull(0) ? nil : Int64($0.integer(0)) }
        guard let run else { return }
        _ = try RecipientOrder(run: run, db).number(of: recipient)
    }

    /// A time; nil for NULL.
    static func date(_ row: NativeRow, _ column: Int32) -> Date? {
        row.isNull(column) ? nil : Timestamp.date(Int64(row.integer(column)))
    }

    /// The place of the first of a receipt's columns behind a notification's.
    private static let receipt: Int32 = 13

    /// One notification and what one recipient did with it.
    static let content = """
        SELECT \(NotificationRow.columns), t.fetched, t.read
        FROM notifications n
        CROSS JOIN runs ON runs.key = n.run
        LEFT JOIN contents c ON c.key = n.content
        LEFT JOIN receipts t ON t.run = n.run AND t.number = ?3
        WHERE n.run = ?1 AND n.number = ?2
        """
}
