package import FoundationEssentials

/// A notification as the store holds it.
package struct StoredNotification: Hashable, Sendable {
    package var id: NotificationID
    package var run: RunID
    package var kind: CampaignKind
    package var type: String?
    package var message: String?
    /// nil for alert.
    package var mediaType: String?
    /// nil for alert, where it was not asked for, and after it was purged.
    package var bytes: [UInt8]?
    /// SHA-256 of the bytes, lower-case hexadecimal.
    package var digest: String?
    package var created: Date
    package var expires: Date
    /// The one person it was rendered for; nil: the run's recipients share it.
    package var recipient: Username?
    /// When it, or its whole run, was taken back; nil: it was not.
    package var revoked: Date?

    package init(
        id: NotificationID, run: RunID, kind: CampaignKind, type: String?, message: String?,
        mediaType: String?, bytes: [UInt8]?, digest: String?, created: Date, expires: Date,
        recipient: Username? = nil, revoked: Date? = nil
    ) {
        self.id = id
        self.run = run
        self.kind = kind
        self.type = type
        self.message = message
        self.mediaType = mediaType
        self.bytes = bytes
        self.digest = digest
        self.created = created
        self.expires = expires
        self.recipient = recipient
        self.revoked = revoked
    }
}
