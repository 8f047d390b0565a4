package import CampaignCore
import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await read { db in
            let statement = try NativeStatement(Self.shown, db)
            try statement.bind([id.text])
            var found: StoredNotification?
            try statement.forEachRow { row in
                let name = row.text(NotificationRow.columnCount).map(Username.init(checked:))
                found = try NotificationRow(row).stored(for: name, keyring, db)
            }
            return found
        }
    }

    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        let received = try await readAtOnce { db in
            try find(id, for: recipient, Self.content, db, files: contents.largest)
        }
        guard let received, received.notification.bytes == nil,
            let byteCount = received.byteCount, byteCount > contents.largest
        else { return received }
        // Reading it would keep the caller's thread from others.
        return try await read { db in
            try find(id, for: recipient, Self.content, db, files: .max)
        }
    }

    package func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await readAtOnce { db in try find(id, for: recipient, Self.outline, db) }
    }

    /// A notification as one recipient may fetch it, by ``content`` or ``outline``.
    ///
    /// - Parameter largest: of the files that are read, in bytes; nil: none are.
    func find(
        _ id: NotificationID, for recipient: Username, _ query: String, _ db: Database,
        files largest: Int? = nil
    ) throws -> ReceivedNotification? {
        let statement = try NativeStatement(query, db)
        try statement.bind([id.text, recipient.text])
        var found: ReceivedNotification?
        var hasNext = false
        try statement.forEachRow { row in
            hasNext = true
            guard row.integer(Column.isTheirs) == 1 else { return }
            let notification = try NotificationRow(row)
            var stored = try notification.stored(
                for: notification.number <= 0 ? nil : recipient, keyring, db)
            if let largest, row.integer(Column.length) <= largest, let digest = stored.digest,
                stored.bytes == nil
            {
                stored.bytes = try contents.file(digest) {
                    try Self.file(row.integer(Column.content), db)
                }
            }
            found = ReceivedNotification(
                notification: stored,
                byteCount: stored.bytes?.count
                    ?? (row.isNull(Column.length) ? nil : row.integer(Column.length)),
                place: ReceiptPlace(
                    run: Int64(row.integer(Column.run)), number: row.integer(Column.number)),
                fetched: Self.date(row, Column.fetched), read: Self.date(row, Column.read))
        }
        if !hasNext {
            // After the last id the first one takes its place.
            try statement.bind(["", recipient.text])
            try statement.forEachRow { _ in }
        }
        return found
    }

    private static func file(_ key: Int, _ db: Database) throws -> [UInt8] {
        let statement = try NativeStatement("SELECT bytes FROM contents WHERE key = ?", db)
        statement.bind(key, at: 1)
        var bytes: [UInt8] = []
        try statement.forEachRow { bytes = $0.bytes(0) }
        return bytes
    }

    /// nil for NULL.
    static func date(_ row: NativeRow, _ column: Int32) -> Date? {
        row.isNull(column) ? nil : StoredTime.date(Int64(row.integer(column)))
    }

    private enum Column {
        static let isTheirs = NotificationRow.columnCount
        static let run = isTheirs + 1
        static let number = isTheirs + 2
        static let fetched = isTheirs + 3
        static let read = isTheirs + 4
        /// The file's, in bytes.
        static let length = isTheirs + 5
        static let content = isTheirs + 6
    }

    /// With what is encrypted, but without a file.
    static let content = selection(sealed: "n.sealed")

    /// Leaves out the encrypted part unless the payload is a file; then that part is short.
    static let outline = selection(sealed: "iif(n.content IS NULL, NULL, n.sealed)")

    /// A notification with the name of its recipient, NULL for a shared one.
    private static let shown = """
        SELECT \(NotificationRow.columns), r.name
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        LEFT JOIN contents c ON c.key = n.content
        LEFT JOIN recipients r ON r.run = i.run AND r.number = i.number
        WHERE i.id = ?1
        """

    /// One statement, with the same steps for everybody, so that its time does not tell an unknown
    /// id from another person's.
    ///
    /// A missing id is replaced by the next one, and the receipt of somebody who is not among the
    /// recipients is looked up too. What is encrypted is given only to its recipient, and `length`
    /// of a file does not read it.
    private static func selection(sealed: String) -> String {
        // `AND` would stop at the first that does not hold.
        let isTheirs = """
            ((i.id = ?1) & (\(ownNumber)) & (runs.kind <> '\(CampaignKind.alert.rawValue)')
                & (runs.revoked IS NULL) & (n.revoked IS NULL))
            """
        let columns = NotificationRow.columns
            .replacing("n.sealed", with: "iif(\(isTheirs), \(sealed), NULL)")
            .replacing("c.bytes", with: "NULL")
        return """
            SELECT \(columns), \(isTheirs), i.run, r.number, t.fetched, t.read,
                length(c.bytes), n.content
            FROM (SELECT id, run, number FROM notification_ids WHERE id >= ?1
                ORDER BY id LIMIT 1) i
            CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
            CROSS JOIN runs ON runs.key = i.run
            LEFT JOIN contents c ON c.key = n.content
            LEFT JOIN recipients r INDEXED BY recipients_by_name
                ON r.run = i.run AND r.name = ?2
            LEFT JOIN receipts t ON t.run = i.run AND t.number = coalesce(r.number, 0)
            """
    }

    /// Whether the notification of an id `i` is for a recipient `r`.
    static let ownNumber = """
        i.number = (i.number > 0) * r.number + (i.number <= 0) * r.notification
        """
}
