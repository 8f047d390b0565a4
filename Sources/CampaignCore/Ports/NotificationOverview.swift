package import FoundationEssentials

/// A stored notification without its content, as a list shows it.
package struct NotificationOverview: Hashable, Sendable {
    package var id: NotificationID
    package var run: RunID
    package var campaign: String
    package var kind: CampaignKind
    /// The one person it was rendered for; nil: the run's recipients share it.
    package var recipient: Username?
    /// How many people it is for.
    package var recipients: Int
    /// nil for alert.
    package var mediaType: String?
    /// The content's own length, without what its encryption adds; nil for alert and after it was purged.
    package var byteCount: Int?
    /// Whether the content is encrypted at rest.
    package var isEncrypted: Bool
    package var created: Date
    package var expires: Date
    /// When it, or its whole run, was taken back; nil: it was not.
    package var revoked: Date?
    /// How many people fetched it.
    package var fetched: Int
    /// How many people read it.
    package var read: Int

    package init(
        id: NotificationID, run: RunID, campaign: String, kind: CampaignKind, recipient: Username?,
        recipients: Int, mediaType: String?, byteCount: Int?, isEncrypted: Bool, created: Date,
        expires: Date, revoked: Date?, fetched: Int, read: Int
    ) {
        self.id = id
        self.run = run
        self.campaign = campaign
        self.kind = kind
        self.recipient = recipient
        self.recipients = recipients
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.isEncrypted = isEncrypted
        self.created = created
        self.expires = expires
        self.revoked = revoked
        self.fetched = fetched
        self.read = read
    }
}
