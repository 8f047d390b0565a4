package import CampaignCore
import FoundationEssentials

/// A notification that was sent to a person, with the person's receipts.
package struct HeldNotification {
    package static let columnCount = NotificationRow.columnCount + 4

    package let place: ReceiptKey
    private let notification: NotificationRow
    private let fetched: Date?
    private let read: Date?
    /// The length of a file, or of text that is not encrypted.
    private let byteCount: Int?

    /// Reads a row that begins with the columns of a ``NotificationRow``, the recipient's number,
    /// `fetched` and `read` of the receipt, and the length of `contents c`.
    package init(_ row: any SQLRow, of run: Int64) throws {
        let next = NotificationRow.columnCount
        notification = try NotificationRow(row)
        place = ReceiptKey(run: run, number: try row.int(next))
        fetched = try row.optionalTime(next + 1)
        read = try row.optionalTime(next + 2)
        byteCount = try row.optionalInt(next + 3)
    }

    /// Whether the recipient may fetch it: it is not an alert, and neither the notification nor its
    /// run was revoked.
    package var isFetchable: Bool { notification.isFetchable }
    package var isRead: Bool { read != nil }

    package func received(
        by recipient: Username, _ keyring: PayloadKeyring, _ db: any SQLConnection
    ) throws -> ReceivedNotification {
        let stored = try notification.stored(
            for: notification.number > 0 ? recipient : nil, keyring, db)
        return ReceivedNotification(
            notification: stored, byteCount: stored.bytes?.count ?? byteCount, place: place,
            fetched: fetched, read: read)
    }

    /// The same notification without its content, for lists.
    package func listed(
        by recipient: Username, _ keyring: PayloadKeyring, _ db: any SQLConnection
    ) throws -> ReceivedNotification {
        var received = try received(by: recipient, keyring, db)
        (received.notification.bytes, received.notification.digest) = (nil, nil)
        received.byteCount = nil
        return received
    }
}
