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

/// Strings as JSON writes them (RFC 8259, section 7).
package enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends a text in quotes, with everything escaped that has to be.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"):
                bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Character data as XML 1.0 writes it.
package enum XMLText {
    /// Whether XML 1.0 can hold a character at all (its section 2.2); most control characters it cannot.
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Appends a text with markup escaped; a character that XML cannot hold becomes U+FFFD.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            default:
                bytes.append(contentsOf: String(canHold(scalar) ? scalar : "\u{FFFD}").utf8)
            }
        }
    }
}
