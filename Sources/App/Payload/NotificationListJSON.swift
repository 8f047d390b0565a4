import CampaignCore
import FoundationEssentials

/// The array of `hubsend payload list --format json`.
struct NotificationListJSON: JSONLine {
    private let notifications: [NotificationOverview]
    private let now: Date

    init(_ notifications: [NotificationOverview], at now: Date) {
        self.notifications = notifications
        self.now = now
    }

    func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for notification in notifications {
            var object = array.nestedContainer(keyedBy: NotificationKey.self)
            try notification.encode(into: &object, at: now)
            try object.encode(notification.byteCount, forKey: .bytes)
        }
    }
}
