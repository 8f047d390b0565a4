import CampaignCore
import FoundationEssentials

/// The object of `hubsend payload show --format json`.
///
/// Omits missing keys, and content that is not text.
struct NotificationJSON: JSONLine {
    private let overview: NotificationOverview
    private let notification: StoredNotification
    private let now: Date

    init(
        _ overview: NotificationOverview, _ notification: StoredNotification, at now: Date
    ) {
        self.overview = overview
        self.notification = notification
        self.now = now
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: NotificationKey.self)
        try overview.encode(into: &object, at: now)
        try object.encodeIfPresent(notification.language?.text, forKey: .language)
        try object.encode(notification.type, forKey: .type)
        try object.encodeIfPresent(notification.title, forKey: .title)
        try object.encode(notification.message, forKey: .message)
        try object.encodeIfPresent(notification.link, forKey: .link)
        if !notification.data.isEmpty { try object.encode(notification.data, forKey: .data) }
        try object.encode(notification.bytes?.count, forKey: .bytes)
        try object.encodeIfPresent(notification.text(overview.mediaType), forKey: .text)
    }
}

enum NotificationKey: String, CodingKey {
    case notification, run, campaign, kind, language, type, title, message, link, data, text
    case recipient, recipients, bytes, encrypted, state, created, expires, revoked, fetched
    case read
    case mediaType = "media_type"
}

extension NotificationOverview {
    /// Without content; the caller writes the size.
    func encode(
        into object: inout KeyedEncodingContainer<NotificationKey>, at now: Date
    ) throws {
        try object.encode(id.text, forKey: .notification)
        try object.encode(run.text, forKey: .run)
        try object.encode(campaign, forKey: .campaign)
        try object.encode(kind, forKey: .kind)
        try object.encode(mediaType, forKey: .mediaType)
        try object.encode(recipient?.text, forKey: .recipient)
        try object.encode(recipients, forKey: .recipients)
        try object.encode(isEncrypted, forKey: .encrypted)
        try object.encode(PayloadState(self, at: now).rawValue, forKey: .state)
        try object.encode(UTCTime.text(created), forKey: .created)
        try object.encode(UTCTime.text(expires), forKey: .expires)
        try object.encode(revoked.map(UTCTime.text), forKey: .revoked)
        try object.encode(fetched, forKey: .fetched)
        try object.encode(read, forKey: .read)
    }
}

extension StoredNotification {
    /// The content if it is text.
    func text(_ mediaType: String?) -> String? {
        guard let bytes, mediaType?.hasPrefix("text/") == true else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
