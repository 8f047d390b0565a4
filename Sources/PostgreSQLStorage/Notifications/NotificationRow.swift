import CampaignCore
import PostgreSQLClient
import Storage

struct NotificationRow {
    /// The columns for ``init(_:)``, of `notifications n`, `runs` and `contents c`.
    static let columns = """
        n.number, n.id, n.type, n.message, n.media_type, runs.id, runs.kind, runs.started,
        runs.expires, least(runs.revoked, n.revoked), n.sealed, c.digest, c.bytes, n.texts
        """
    static let columnCount = 14

    /// The recipient's number; 0 or less if recipients share it.
    let number: Int
    private var notification: StoredNotification
    private let sealed: [UInt8]?

    /// Reads a row that begins with ``columns``.
    init(_ row: PostgreSQLRow) throws {
        number = try row.int(0)
        sealed = try row.optionalBytes(10)
        guard let kind = CampaignKind(rawValue: try row.text(6)) else { throw DamagedValue() }
        notification = StoredNotification(
            id: NotificationID(checked: try row.text(1)), run: RunID(checked: try row.text(5)),
            kind: kind, type: try row.optionalText(2).map(StoredText.decode),
            texts: Texts(message: try row.optionalText(3).map(StoredText.decode)),
            mediaType: try row.optionalText(4), bytes: try row.optionalBytes(12),
            digest: try row.optionalBytes(11).map(Hexadecimal.text),
            created: StoredTime.date(try row.int64(7)), expires: StoredTime.date(try row.int64(8)),
            revoked: try row.optionalInt64(9).map(StoredTime.date))
        if let texts = try row.optionalBytes(13) { notification.add(try NotificationTexts(texts)) }
    }

    var isFetchable: Bool { notification.kind != .alert && notification.revoked == nil }

    /// Decrypts it for its recipient, nil for a shared one.
    func stored(
        for recipient: Username?, _ keyring: PayloadKeyring, _ db: PostgreSQLConnection
    ) throws -> StoredNotification {
        var notification = notification
        notification.recipient = recipient
        guard let sealed else { return notification }
        try notification.add(
            keyring.cipher(db).open(sealed, of: notification.id, for: recipient))
        return notification
    }
}
