import CampaignCore
import PostgreSQLClient
import Storage

/// A notification as the store's tables hold it.
struct NotificationRow {
    /// The columns that ``init(_:)`` reads, in this order, of `notifications n`, `runs` and `contents c`.
    static let columns = """
        n.number, n.id, n.type, n.message, n.media_type, runs.id, runs.kind, runs.started,
        runs.expires, least(runs.revoked, n.revoked), n.sealed, c.digest, c.bytes, n.texts
        """
    /// How many columns these are.
    static let columnCount = 14

    /// The recipient's; 0 or less where the run's recipients share it.
    let number: Int
    private var notification: StoredNotification
    private let sealed: [UInt8]?

    /// Reads a row.
    ///
    /// - Parameter row: its first columns are ``columns``.
    /// - Throws: `DamagedValue` when a column holds what was never written.
    init(_ row: PostgreSQLRow) throws {
        number = try row.int(0)
        sealed = try row.optionalBytes(10)
        guard let kind = CampaignKind(rawValue: try row.text(6)) else { throw DamagedValue() }
        notification = StoredNotification(
            id: NotificationID(checked: try row.text(1)), run: RunID(checked: try row.text(5)),
            kind: kind, type: try row.optionalText(2).map(StoredText.decode),
            message: try row.optionalText(3).map(StoredText.decode),
            mediaType: try row.optionalText(4), bytes: try row.optionalBytes(12),
            digest: try row.optionalBytes(11).map(Hexadecimal.text),
            created: StoredTime.date(try row.int64(7)),
            expires: StoredTime.date(try row.int64(8)),
            revoked: try row.optionalInt64(9).map(StoredTime.date))
        if let texts = try row.optionalBytes(13) { notification.add(try NotificationTexts(texts)) }
    }

    /// The notification, decrypted.
    ///
    /// - Parameters:
    ///   - recipient: whose number ``number`` is; nil for a shared one.
    ///   - keyring: asked when something is encrypted.
    ///   - db: the connection that the row was read on.
    /// - Throws: ``StoreError`` when the key is missing or wrong; `DamagedValue` when it does not fit the row.
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
