package import CampaignCore
import Crypto
import FoundationEssentials

package struct NotificationRow {
    package static let columnCount = 14
    /// When a notification or its run was revoked, as SQL.
    static let revoked = """
        CASE WHEN runs.revoked <= n.revoked THEN runs.revoked
            ELSE coalesce(n.revoked, runs.revoked) END
        """

    package let number: Int
    private let notification: StoredNotification
    private let sealed: [UInt8]?

    /// The columns for ``init(_:)``, of `notifications n`, `runs` and `contents c`.
    package static func columns(
        sealed: String = "n.sealed", digest: String = "c.digest", bytes: String = "c.bytes"
    ) -> String {
        """
        n.number, n.id, n.type, n.message, n.media_type, runs.id, runs.kind, runs.started,
        runs.expires, \(revoked), \(sealed), \(digest), \(bytes), n.texts
        """
    }

    /// Reads a row that begins with ``columns(sealed:digest:bytes:)``.
    package init(_ row: any SQLRow) throws {
        number = try row.int(0)
        sealed = try row.optionalBytes(10)
        var notification = StoredNotification(
            id: NotificationID(checked: try row.text(1)), run: RunID(checked: try row.text(5)),
            kind: try row.word(6), type: try row.optionalText(2),
            texts: Texts(message: try row.optionalText(3)), mediaType: try row.optionalText(4),
            bytes: try row.optionalBytes(12),
            digest: try row.optionalBytes(11).map(Hexadecimal.text),
            created: try row.time(7), expires: try row.time(8), revoked: try row.optionalTime(9))
        if let texts = try row.optionalBytes(13) { notification.add(try NotificationTexts(texts)) }
        self.notification = notification
    }

    package var isFetchable: Bool { notification.kind != .alert && notification.revoked == nil }

    /// Decrypts the notification for its recipient, who is nil if it is shared.
    package func stored(
        for recipient: Username?, _ keyring: PayloadKeyring, _ db: any SQLConnection
    ) throws -> StoredNotification {
        var notification = notification
        notification.recipient = recipient
        guard let sealed else { return notification }
        try notification.add(
            keyring.cipher(db).open(sealed, of: notification.id, for: recipient))
        return notification
    }
}

extension StoredNotification {
    package mutating func add(_ texts: NotificationTexts) {
        language = texts.language
        self.texts = texts.texts.filter { !$0.isPlaceholder }.over(self.texts)
        link = texts.link
        data = texts.data
    }

    package mutating func add(_ parts: SealedParts) throws {
        type = parts.type
        texts.message = parts.message
        if let texts = parts.texts { add(try NotificationTexts(texts)) }
        if let content = parts.content {
            bytes = content
            digest = Hexadecimal.text(Array(SHA256.hash(data: content)))
        }
    }
}
