import CampaignCore
import FoundationEssentials

enum NotificationJSON {
    /// The array that `hubsend payload list --format json` prints.
    static func list(_ notifications: [NotificationOverview], at now: Date) -> [JSONObject] {
        notifications.map { shared($0, at: now) + ["bytes": $0.byteCount] }
    }

    /// The object that `hubsend payload show --format json` prints.
    ///
    /// Omits keys without a value, and content that is not text.
    static func object(
        _ overview: NotificationOverview, _ notification: StoredNotification, at now: Date
    ) -> JSONObject {
        let texts: JSONObject = [
            "language": notification.language?.text, "link": notification.link,
            "data": notification.data.isEmpty ? nil : notification.data,
            "text": notification.text(overview.mediaType),
        ]
        return shared(overview, at: now) + texts.withoutNulls
            + JSONObject(notification.texts).withoutNulls + [
                "type": notification.type, "message": notification.texts.message,
                "bytes": notification.bytes?.count,
            ]
    }

    private static func shared(_ overview: NotificationOverview, at now: Date) -> JSONObject {
        [
            "notification": overview.id.text, "run": overview.run.text,
            "campaign": overview.campaign, "kind": overview.kind,
            "media_type": overview.mediaType, "recipient": overview.recipient?.text,
            "recipients": overview.recipients, "encrypted": overview.isEncrypted,
            "state": PayloadState(overview, at: now).rawValue,
            "created": UTCTime.text(overview.created), "expires": UTCTime.text(overview.expires),
            "revoked": overview.revoked.map(UTCTime.text), "fetched": overview.fetched,
            "read": overview.read,
        ]
    }
}

extension StoredNotification {
    /// The content if it is text.
    func text(_ mediaType: String?) -> String? {
        guard let bytes, mediaType?.hasPrefix("text/") == true else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension JSONObject {
    init(_ texts: Texts<String>, of keys: [TextKey] = TextKey.fetched) {
        self = keys.reduce([:]) { $0 + [$1.rawValue: texts[$1]] }
    }
}
