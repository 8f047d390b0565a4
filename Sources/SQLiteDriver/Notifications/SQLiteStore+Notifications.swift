package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func notification(
        _ id: NotificationID, for recipient: Username, hasContent: Bool
    ) async throws -> ReceivedNotification? {
        guard hasContent else {
            return try await readAtOnce { db in try find(id, for: recipient, Self.outline, db) }
        }
        let received = try await readAtOnce { db in
            try find(id, for: recipient, Self.content, db, files: contents.largest)
        }
        guard let received, received.notification.bytes == nil,
            let byteCount = received.byteCount, byteCount > contents.largest
        else { return received }
        // Reading the content would block the caller's thread.
        return try await read { db in
            try find(id, for: recipient, Self.content, db, files: .max)
        }
    }

    /// Reads a notification as one recipient may fetch it, with the query ``content`` or
    /// ``outline``.
    ///
    /// - Parameter largest: the largest file to read, in bytes; nil to read no file at all.
    func find(
        _ id: NotificationID, for recipient: Username, _ query: String, _ db: Database,
        files largest: Int? = nil
    ) throws -> ReceivedNotification? {
        var found: ReceivedNotification?
        var hasNext = false
        try db.stream(query, [id.text, recipient.text]) { row in
            hasNext = true
            guard try row.optionalInt(Column.isTheirs) == 1 else { return }
            let held = try HeldNotification(row, of: try row.int64(Column.run))
            var received = try held.received(by: recipient, keyring, db)
            if let largest, received.notification.bytes == nil,
                let digest = received.notification.digest,
                let length = received.byteCount, length <= largest
            {
                received.notification.bytes = try contents.file(digest) {
                    try db.row(
                        "SELECT bytes FROM contents WHERE key = ?1", [row.int64(Column.content)]
                    ) { try $0.bytes(0) } ?? []
                }
            }
            found = received
        }
        if !hasNext {
            // If there is no next id, the first one is used.
            try db.stream(query, ["", recipient.text]) { _ in }
        }
        return found
    }

    private enum Column {
        static let isTheirs = HeldNotification.columnCount
        static let run = isTheirs + 1
        static let content = isTheirs + 2
    }

    /// The query with the encrypted part, but without a file.
    static let content = selection(sealed: "n.sealed")

    /// The query without the encrypted part unless the payload is a file, because then that part is
    /// short.
    static let outline = selection(sealed: "iif(n.content IS NULL, NULL, n.sealed)")

    /// There is a single statement with the same steps for everybody, so that its duration does not
    /// reveal whether an id is unknown or another person's.
    ///
    /// A missing id is replaced by the next one, and the receipt is looked up even for people who
    /// are not among the recipients. The encrypted part is returned only to its recipient, and
    /// `length` does not read a file.
    private static func selection(sealed: String) -> String {
        // `AND` would stop at the first false condition.
        let isTheirs = """
            ((i.id = ?1) & (\(ownNumber)) & (runs.kind <> '\(CampaignKind.alert.rawValue)')
                & (runs.revoked IS NULL) & (n.revoked IS NULL))
            """
        let columns = NotificationRow.columns(
            sealed: "iif(\(isTheirs), \(sealed), NULL)", bytes: "NULL")
        return """
            SELECT \(columns), r.number, t.fetched, t.read, length(c.bytes),
                \(isTheirs), i.run, n.content
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

    /// The condition that the notification of an id `i` is for a recipient `r`.
    static let ownNumber = """
        i.number = (i.number > 0) * r.number + (i.number <= 0) * r.notification
        """
}
