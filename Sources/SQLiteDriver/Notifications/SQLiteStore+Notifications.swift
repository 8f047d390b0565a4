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
        // Reading it would block the caller's thread.
        return try await read { db in
            try find(id, for: recipient, Self.content, db, files: .max)
        }
    }

    /// A notification as one recipient may fetch it, by ``content`` or ``outline``.
    ///
    /// - Parameter largest: the largest file to read, in bytes; nil to read no file.
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
            // After the last id, the first one is used.
            try db.stream(query, ["", recipient.text]) { _ in }
        }
        return found
    }

    private enum Column {
        static let isTheirs = HeldNotification.columnCount
        static let run = isTheirs + 1
        static let content = isTheirs + 2
    }

    /// With the encrypted part, but without a file.
    static let content = selection(sealed: "n.sealed")

    /// Leaves out the encrypted part unless the payload is a file; then that part is short.
    static let outline = selection(sealed: "iif(n.content IS NULL, NULL, n.sealed)")

    /// One statement, with the same steps for everybody, so that its time does not tell an unknown
    /// id from another person's.
    ///
    /// A missing id is replaced by the next one, and the receipt of somebody who is not among the
    /// recipients is looked up too. The encrypted part is only returned to its recipient, and
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

    /// Whether the notification of an id `i` is for a recipient `r`.
    static let ownNumber = """
        i.number = (i.number > 0) * r.number + (i.number <= 0) * r.notification
        """
}
