#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Stores payloads for devices to fetch, and what their recipients did with them.
package protocol NotificationStore: Sendable {
    /// Returns a notification, even if it was revoked.
    func notification(_ id: NotificationID) async throws -> StoredNotification?
    /// Returns a notification as one recipient can fetch it; nil if it is unknown, revoked or for
    /// somebody else.
    ///
    /// An expired notification is returned, without its bytes if they were purged.
    ///
    /// - Parameter hasContent: if false, nothing is decrypted and no key is needed. In that case,
    ///   if the content is encrypted or purged, `byteCount`, type, texts and digest are missing.
    func notification(
        _ id: NotificationID, for recipient: Username, hasContent: Bool
    ) async throws -> ReceivedNotification?
    /// The notifications that a person was sent and can still fetch, newest run first; empty at the
    /// end.
    ///
    /// Alerts, expired and revoked notifications, and notifications that were never sent to the hub
    /// are excluded.
    ///
    /// - Parameter last: the last ID of the previous page; if it is unknown or belongs to somebody
    /// else, nothing is returned.
    func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification]
    /// Records what recipients did, in one transaction. For each kind of receipt, the first time is
    /// kept.
    func record(_ receipts: [Receipt]) async throws

    /// Checks that payloads can be decrypted; throws if the key is missing or different.
    func checkPayloadKey() async throws
    /// Checks that the store accepts writes, without writing.
    func checkWrites() async throws

    // MARK: Maintenance

    /// Notifications without content, newest run first, then by number; empty at the end.
    ///
    /// - Parameter run: nil means all runs, except those of alerts, which nobody can fetch.
    func overviews(run: RunID?, after last: NotificationID?, limit: Int) async throws
        -> [NotificationOverview]
    /// Like ``overviews(run:after:limit:)``, but for one notification; needs no key.
    func overview(_ id: NotificationID) async throws -> NotificationOverview?
    /// Revokes one notification; if it was already revoked, the first time is kept. Returns false
    /// if it does not exist.
    func revoke(_ id: NotificationID, at time: Date) async throws -> Bool
    /// Deletes content that has expired or was revoked; runs and outcomes are kept.
    func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts
}

extension NotificationStore {
    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? {
        try await notification(id, for: recipient, hasContent: true)
    }

    /// A store in a file cannot check this without writing.
    package func checkWrites() async throws {}
}

package struct StoredNotification: Hashable, Sendable {
    package var id: NotificationID
    package var run: RunID
    package var kind: CampaignKind
    /// nil stands for everybody whose language has no text of its own.
    package var language: LanguageTag?
    package var type: String?
    /// The texts without the placeholder.
    package var texts: Texts<String>
    package var link: String?
    package var data: [String: String]
    package var mediaType: String?
    /// nil for alerts, if the content was not requested, and after a purge.
    package var bytes: [UInt8]?
    /// SHA-256 of the bytes, lower-case hexadecimal.
    package var digest: String?
    package var created: Date
    package var expires: Date
    /// nil if the run's recipients share the notification.
    package var recipient: Username?
    /// When the notification or its whole run was revoked.
    package var revoked: Date?

    package init(
        id: NotificationID, run: RunID, kind: CampaignKind, language: LanguageTag? = nil,
        type: String?, texts: Texts<String> = Texts(), link: String? = nil,
        data: [String: String] = [:], mediaType: String?, bytes: [UInt8]?, digest: String?,
        created: Date, expires: Date, recipient: Username? = nil, revoked: Date? = nil
    ) {
        self.id = id
        self.run = run
        self.kind = kind
        self.language = language
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
        self.mediaType = mediaType
        self.bytes = bytes
        self.digest = digest
        self.created = created
        self.expires = expires
        self.recipient = recipient
        self.revoked = revoked
    }
}

package struct ReceivedNotification: Hashable, Sendable {
    package var notification: StoredNotification
    /// nil if not requested, purged, or unknown without decryption.
    package var byteCount: Int?
    package var place: ReceiptKey
    /// When this recipient first fetched it.
    package var fetched: Date?
    /// When this recipient first read it.
    package var read: Date?

    package init(
        notification: StoredNotification, byteCount: Int? = nil, place: ReceiptKey,
        fetched: Date?, read: Date?
    ) {
        self.notification = notification
        self.byteCount = byteCount
        self.place = place
        self.fetched = fetched
        self.read = read
    }
}

package struct Receipt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The payload arrived completely.
        case fetched
        /// The device reports that the person has seen the message.
        case read
    }

    package var place: ReceiptKey
    package var kind: Kind
    package var time: Date

    package init(place: ReceiptKey, kind: Kind, time: Date) {
        self.place = place
        self.kind = kind
        self.time = time
    }
}

/// Where a store keeps a recipient's receipts; only the store can interpret it.
package struct ReceiptKey: Hashable, Sendable {
    package var run: Int64
    package var number: Int

    package init(run: Int64, number: Int) {
        self.run = run
        self.number = number
    }
}

package struct NotificationOverview: Hashable, Sendable {
    package var id: NotificationID
    package var run: RunID
    package var campaign: String
    package var kind: CampaignKind
    /// nil if the run's recipients share the notification.
    package var recipient: Username?
    package var recipients: Int
    /// nil for alert.
    package var mediaType: String?
    /// The number of bytes without the overhead of encryption; nil for alerts and after a purge.
    package var byteCount: Int?
    package var isEncrypted: Bool
    package var created: Date
    package var expires: Date
    /// When the notification or its whole run was revoked.
    package var revoked: Date?
    package var fetched: Int
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

package struct PurgeCounts: Hashable, Sendable {
    package var notifications: Int
    /// The number of bytes, without the overhead of encryption.
    package var bytes: Int

    package init(notifications: Int = 0, bytes: Int = 0) {
        self.notifications = notifications
        self.bytes = bytes
    }
}
