package import CampaignCore
package import FoundationEssentials

/// What `hubsend payload list --format json` prints: an array with one object per stored notification.
package struct NotificationListJSON: JSONLine {
    private enum Key: String, CodingKey {
        case notification, run, campaign, kind, recipient, recipients, bytes, encrypted, state
        case created, expires, revoked, fetched, read
        case mediaType = "media_type"
    }

    private let notifications: [NotificationOverview]
    private let now: Date

    /// - Parameters:
    ///   - notifications: what to show.
    ///   - now: the current time, by which they expire.
    package init(_ notifications: [NotificationOverview], at now: Date) {
        self.notifications = notifications
        self.now = now
    }

    package func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for notification in notifications {
            var object = array.nestedContainer(keyedBy: Key.self)
            try object.encode(notification.id.text, forKey: .notification)
            try object.encode(notification.run.text, forKey: .run)
            try object.encode(notification.campaign, forKey: .campaign)
            try object.encode(notification.kind, forKey: .kind)
            try object.encode(notification.recipient?.text, forKey: .recipient)
            try object.encode(notification.recipients, forKey: .recipients)
            try object.encode(notification.mediaType, forKey: .mediaType)
            try object.encode(notification.byteCount, forKey: .bytes)
            try object.encode(notification.isEncrypted, forKey: .encrypted)
            try object.encode(
                PayloadState(notification, at: now).rawValue, forKey: .state)
            try object.encode(UTCTime.text(notification.created), forKey: .created)
            try object.encode(UTCTime.text(notification.expires), forKey: .expires)
            try object.encode(notification.revoked.map(UTCTime.text), forKey: .revoked)
            try object.encode(notification.fetched, forKey: .fetched)
            try object.encode(notification.read, forKey: .read)
        }
    }
}
