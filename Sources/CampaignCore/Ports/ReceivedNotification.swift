package import FoundationEssentials

/// A notification as one of its recipients may see it.
package struct ReceivedNotification: Hashable, Sendable {
    package var notification: StoredNotification
    /// The content's length in bytes; nil where it was not looked up, is not known without decrypting, or is no more.
    package var byteCount: Int?
    /// Where the store keeps what this recipient did with it.
    package var place: ReceiptPlace
    /// When this recipient first fetched it; nil: not yet.
    package var fetched: Date?
    /// When this recipient first read it; nil: not yet.
    package var read: Date?

    package init(
        notification: StoredNotification, byteCount: Int? = nil, place: ReceiptPlace,
        fetched: Date?, read: Date?
    ) {
        self.notification = notification
        self.byteCount = byteCount
        self.place = place
        self.fetched = fetched
        self.read = read
    }
}
