import CampaignCore
import GRDB
import Storage

struct NotificationRow {
    /// The columns for ``init(_:)``, of `notifications n`, `runs` and `contents c`.
    static let columns = """
        n.number, n.id, n.type, n.message, n.media_type, runs.id, runs.kind, runs.started,
        runs.expires, min(coalesce(runs.revoked, n.revoked), coalesce(n.revoked, runs.revoked)),
        n.sealed, c.digest, c.bytes, n.texts
        """
    static let columnCount: Int32 = 14

    /// The recipient's number; 0 or less if recipients share it.
    let number: Int
    private var notification: StoredNotification
    private let sealed: [UInt8]?

    /// Reads a row that begins with ``columns``.
    init(_ row: NativeRow) throws {
        number = row.integer(0)
        sealed = row.isNull(10) ? nil : row.bytes(10)
        guard let kind = CampaignKind(rawValue: try row.requiredText(6)) else {
            throw DatabaseError.damaged
        }
        notification = StoredNotification(
            id: NotificationID(checked: try row.requiredText(1)),
            run: RunID(checked: try row.requiredText(5)), kind: kind, type: row.text(2),
            texts: Texts(message: row.text(3)), mediaType: row.text(4),
            bytes: row.isNull(12) ? nil : row.bytes(12),
            digest: row.isNull(11) ? nil : Hexadecimal.text(row.bytes(11)),
            created: StoredTime.date(Int64(row.integer(7))),
            expires: StoredTime.date(Int64(row.integer(8))),
            revoked: row.isNull(9) ? nil : StoredTime.date(Int64(row.integer(9))))
        if !row.isNull(13) { notification.add(try NotificationTexts(row.bytes(13))) }
    }

    /// Decrypts it for its recipient, nil for a shared one.
    func stored(
        for recipient: Username?, _ keyring: PayloadKeyring, _ db: Database
    ) throws -> StoredNotification {
        var notification = notification
        notification.recipient = recipient
        guard let sealed else { return notification }
        try notification.add(
            keyring.cipher(db).open(sealed, of: notification.id, for: recipient))
        return notification
    }
}
