#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Keeps payloads for devices to fetch, and what their recipients did with them.
///
/// Storage implements it. Every call throws when the store cannot be read or written, or when a payload cannot be decrypted.
package protocol NotificationStore: Sendable {
    /// A notification, whoever it was sent to and even if it was taken back; nil when there is none.
    func notification(_ id: NotificationID) async throws -> StoredNotification?
    /// A notification as one recipient may fetch it.
    ///
    /// - Returns: nil when it does not exist, was not sent to them, or was taken back. One that has expired is returned, without its
    ///   bytes once these were purged.
    func notification(_ id: NotificationID, for recipient: Username) async throws
        -> ReceivedNotification?
    /// Like ``notification(_:for:)``, but its content is neither read nor decrypted.
    ///
    /// - Returns: a notification without its bytes. Where its content is encrypted or was purged, there is no `byteCount`, and
    ///   what is encrypted along, which is type, texts and digest, is left out too; this needs no key.
    func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification?
    /// What one person was sent and could still fetch, newest run first: not expired, not taken back, no alerts, and only what
    /// was handed to the hub or may have been.
    ///
    /// - Parameters:
    ///   - isUnread: only what they have not read.
    ///   - last: the last id of the page before; nil at first. One that is not theirs, or is gone, gives nothing.
    ///   - now: what has expired by then is left out.
    /// - Returns: notifications without their bytes; empty at the end.
    func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification]
    /// Writes down what recipients did, in one transaction; of each kind, the first time stays.
    func record(_ receipts: [Receipt]) async throws

    /// Makes sure, before anybody asks for one, that payloads can be decrypted.
    ///
    /// - Throws: when anything was ever encrypted here and its key is missing or is another; when the store cannot be read.
    func checkPayloadKey() async throws

    // MARK: Keeping house

    /// What is stored, newest run first, and within a run by number; without any content.
    ///
    /// - Parameters:
    ///   - run: only this run's; nil: all but those of alerts, which nobody can fetch.
    ///   - last: the last id of the page before; nil at first.
    /// - Returns: empty at the end.
    func overviews(run: RunID?, after last: NotificationID?, limit: Int) async throws
        -> [NotificationOverview]
    /// What ``overviews(run:after:limit:)`` says of one notification; nil when there is none. Needs no key.
    func overview(_ id: NotificationID) async throws -> NotificationOverview?
    /// Takes one notification back: nobody can fetch it any more. The first time stays.
    ///
    /// - Returns: false when there is no such notification.
    func revoke(_ id: NotificationID, at time: Date) async throws -> Bool
    /// Deletes, for good, what nobody can fetch any more: content that has expired or was taken back. The ledger stays.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - isDryRun: counts only.
    /// - Returns: how many notifications, and how many bytes, were (or would be) freed.
    func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts
}

/// A notification as the store holds it.
package struct StoredNotification: Hashable, Sendable {
    package var id: NotificationID
    package var run: RunID
    package var kind: CampaignKind
    /// The language in which it was rendered; nil: the one for everybody else.
    package var language: LanguageTag?
    package var title: String?
    package var type: String?
    package var message: String?
    /// What opening it opens.
    package var link: String?
    /// Further keys for the app.
    package var data: [String: String]
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
        id: NotificationID, run: RunID, kind: CampaignKind, language: LanguageTag? = nil,
        title: String? = nil, type: String?, message: String?, link: String? = nil,
        data: [String: String] = [:], mediaType: String?, bytes: [UInt8]?, digest: String?,
        created: Date, expires: Date, recipient: Username? = nil, revoked: Date? = nil
    ) {
        self.id = id
        self.run = run
        self.kind = kind
        self.language = language
        self.title = title
        self.type = type
        self.message = message
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

/// A notification as one of its recipients may see it.
package struct ReceivedNotification: Hashable, Sendable {
    package var notification: StoredNotification
    /// The content's length in bytes; nil where it was not looked up, is not known without decrypting, or was purged.
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

/// That a recipient fetched or read a notification.
package struct Receipt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The payload arrived whole.
        case fetched
        /// The device says that the person saw it.
        case read
    }

    package var place: ReceiptPlace
    package var kind: Kind
    package var time: Date

    package init(place: ReceiptPlace, kind: Kind, time: Date) {
        self.place = place
        self.kind = kind
        self.time = time
    }
}

/// Where a store keeps what one recipient did with a run's notification; only the store can read it.
package struct ReceiptPlace: Hashable, Sendable {
    /// The run's key in the store.
    package var run: Int64
    /// The recipient's number in the run.
    package var number: Int

    package init(run: Int64, number: Int) {
        self.run = run
        self.number = number
    }
}

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

/// What a purge frees.
package struct PurgeCounts: Hashable, Sendable {
    package var notifications: Int
    /// Bytes of their messages and content, without what encryption adds.
    package var bytes: Int

    package init(notifications: Int = 0, bytes: Int = 0) {
        self.notifications = notifications
        self.bytes = bytes
    }
}
