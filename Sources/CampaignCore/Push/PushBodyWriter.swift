/// Writes push bodies: fixed text with encoded values spliced in.
///
/// A general encoder costs ten times as much, and this runs once a push; tests read every body back with one.
struct PushBodyWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(256)
    }

    mutating func apns(_ content: PushContent, kind: CampaignKind) {
        if kind == .alert {
            raw(#"{"aps":{"alert":"#)
            JSONText.append(content.message ?? "", to: &bytes)
            raw("}}")
        } else {
            raw(#"{"aps":{"content-available":1},"#)
            members(content, kind: kind)
            raw("}")
        }
    }

    mutating func fcm(_ content: PushContent, kind: CampaignKind, secondsToLive: Int64) {
        if kind == .alert {
            raw(#"{"message":{"notification":{"body":"#)
            JSONText.append(content.message ?? "", to: &bytes)
        } else {
            raw(#"{"message":{"data":{"#)
            members(content, kind: kind)
        }
        raw(#"},"android":{"priority":"high","ttl":""#)
        raw(String(secondsToLive))
        raw(#"s"}}}"#)
    }

    /// A message in `data`, which the app shows itself.
    mutating func fcm(message: String) {
        raw(#"{"message":{"data":{"message":"#)
        JSONText.append(message, to: &bytes)
        raw("}}}")
    }

    mutating func wns(_ content: PushContent, kind: CampaignKind) {
        switch kind {
        case .secure:
            raw(content.notification.text)
        case .rich:
            raw("{")
            members(content, kind: kind)
            raw("}")
        case .alert:
            raw(#"<toast><visual><binding template="ToastText01"><text id="1">"#)
            XMLText.append(content.message ?? "", to: &bytes)
            raw("</text></binding></visual></toast>")
        }
    }

    /// The keys that name the notification, without the braces around them.
    private mutating func members(_ content: PushContent, kind: CampaignKind) {
        raw(kind == .secure ? #""secureId":"# : #""richId":"#)
        JSONText.append(content.notification.text, to: &bytes)
        guard kind == .rich else { return }
        if let type = content.type {
            raw(#","richType":"#)
            JSONText.append(type, to: &bytes)
        }
        if let message = content.message {
            raw(#","richMessage":"#)
            JSONText.append(message, to: &bytes)
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
