package import CampaignCore
package import FoundationEssentials

/// What `hubsend payload list --format json` prints: an array with one object per stored notification.
package struct NotificationListJSON: JSONLine {
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
            var object = array.nestedContainer(keyedBy: NotificationKey.self)
            try notification.encode(into: &object, at: now)
            try object.encode(notification.byteCount, forKey: .bytes)
        }
    }
}
