/// Writes push bodies: fixed text with encoded values.
///
/// A general encoder costs ten times as much, and this runs once a push; tests read every body
/// back.
struct PushBodyWriter {
    private(set) var bytes: [UInt8] = []
    private let content: PushContent
    private let kind: CampaignKind
    private let isVisible: Bool

    init(_ content: PushContent, kind: CampaignKind, isVisible: Bool) {
        self.content = content
        self.kind = kind
        self.isVisible = isVisible
        bytes.reserveCapacity(256)
    }

    mutating func apns() {
        raw(#"{"aps":{"#)
        if isVisible {
            raw(#""alert":"#)
            apnsAlert()
            if kind.isSilent { raw(#","mutable-content":1"#) }
            if let badge = content.badge { raw(#","badge":\#(badge)"#) }
            var members = JSONMembers(isFirst: false)
            members.append("sound", content.sound, to: &bytes)
            members.append("thread-id", content.thread, to: &bytes)
        } else {
            raw(#""content-available":1"#)
        }
        raw("}")
        var members = JSONMembers(isFirst: false)
        name(&members)
        if kind == .rich, !isVisible { members.append("title", content.title, to: &bytes) }
        extras(&members)
        raw("}")
    }

    mutating func fcm(secondsToLive: Int64) {
        raw(#"{"message":{"#)
        if kind == .alert {
            raw(#""notification":{"#)
            var shown = JSONMembers(isFirst: true)
            shown.append("title", content.title, to: &bytes)
            shown.append("body", content.message ?? "", to: &bytes)
            raw("}")
            if content.link != nil || !content.data.isEmpty {
                raw(#","data":{"#)
                var members = JSONMembers(isFirst: true)
                extras(&members)
                raw("}")
            }
        } else {
            raw(#""data":{"#)
            object()
            raw("}")
        }
        raw(#","android":{"priority":"high","ttl":"\#(secondsToLive)s"}}}"#)
    }

    mutating func wns() {
        guard !isVisible else {
            toast()
            return
        }
        if kind == .secure {
            raw(content.notification.text)
        } else {
            browser()
        }
    }

    mutating func adm(secondsToLive: Int64) {
        raw(#"{"data":{"#)
        object()
        raw(#"},"expiresAfter":\#(secondsToLive)}"#)
    }

    mutating func browser() {
        raw("{")
        object()
        raw("}")
    }

    // MARK: Parts

    /// All that a push says, for platforms without their own keys; without the outer braces.
    private mutating func object() {
        var members = JSONMembers(isFirst: true)
        name(&members)
        if kind == .alert { members.append("message", content.message ?? "", to: &bytes) }
        if kind != .secure { members.append("title", content.title, to: &bytes) }
        if kind.isSilent { members.append("placeholder", content.placeholder, to: &bytes) }
        extras(&members)
    }

    private mutating func name(_ members: inout JSONMembers) {
        switch kind {
        case .alert: break
        case .secure: members.append("secureId", content.notification.text, to: &bytes)
        case .rich:
            members.append("richId", content.notification.text, to: &bytes)
            members.append("richType", content.type, to: &bytes)
            members.append("richMessage", content.message, to: &bytes)
        }
    }

    private mutating func extras(_ members: inout JSONMembers) {
        guard kind != .secure else { return }
        members.append("link", content.link, to: &bytes)
        for (key, value) in content.data { members.append(key, value, to: &bytes) }
    }

    private var shownTitle: String? { kind == .secure ? nil : content.title }

    private var shownText: String {
        (kind.isSilent ? content.placeholder : content.message) ?? ""
    }

    private mutating func apnsAlert() {
        guard kind.isSilent || shownTitle != nil else {
            JSONText.append(shownText, to: &bytes)
            return
        }
        raw("{")
        var members = JSONMembers(isFirst: true)
        members.append("title", shownTitle, to: &bytes)
        members.append("body", shownText, to: &bytes)
        raw("}")
    }

    private mutating func toast() {
        raw("<toast")
        let launch = launchText
        if !launch.isEmpty {
            raw(#" launch=""#)
            XMLText.append(launch, inAttribute: true, to: &bytes)
            raw("\"")
        }
        let texts = [shownTitle, shownText].compactMap(\.self)
        raw(#"><visual><binding template="ToastText0\#(texts.count)">"#)
        for (index, text) in texts.enumerated() {
            raw(#"<text id="\#(index + 1)">"#)
            XMLText.append(text, to: &bytes)
            raw("</text>")
        }
        raw("</binding></visual></toast>")
    }

    /// What starts the app: the id, or an alert's link and further keys, as a query string.
    private var launchText: String {
        switch kind {
        case .secure: "secureId=\(content.notification.text)"
        case .rich: "richId=\(content.notification.text)"
        case .alert:
            ((content.link.map { [(key: "link", value: $0)] } ?? []) + content.data)
                .map { "\($0.key)=\(ValueEncoding.urlPart.encode($0.value))" }
                .joined(separator: "&")
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

private struct JSONMembers {
    private var isFirst: Bool

    init(isFirst: Bool) {
        self.isFirst = isFirst
    }

    /// Skips nil values.
    mutating func append(_ key: String, _ value: String?, to bytes: inout [UInt8]) {
        guard let value else { return }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONText.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &bytes)
    }
}

/// JSON strings (RFC 8259, section 7).
package enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends a quoted and escaped text.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { unsafe escape($0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copies what needs no escaping in one go, which is usually everything.
    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        for place in text.indices {
            let byte = unsafe text[place]
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"):
                unsafe bytes.append(contentsOf: text[start..<place])
                start = place + 1
                append(escaped: byte, to: &bytes)
            default: continue
            }
        }
        unsafe bytes.append(contentsOf: text[start...])
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        default:
            bytes += "u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}

/// Character data of XML 1.0.
package enum XMLText {
    /// XML 1.0, section 2.2: most control characters are excluded.
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Appends escaped text; characters that XML cannot hold become U+FFFD.
    static func append(
        _ text: String, inAttribute: Bool = false, to bytes: inout [UInt8]
    ) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"" where inAttribute: bytes.append(contentsOf: "&quot;".utf8)
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            default:
                bytes.append(contentsOf: String(canHold(scalar) ? scalar : "\u{FFFD}").utf8)
            }
        }
    }
}
