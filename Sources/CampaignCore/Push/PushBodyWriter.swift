/// Writes push bodies: fixed text with encoded values.
///
/// This runs once per push, and a general encoder would take ten times as long. Tests read every
/// body back with a parser.
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

    mutating func write(for platform: Platform, secondsToLive: Int64) {
        switch platform {
        case .apns: apns()
        case .fcm: fcm(secondsToLive: secondsToLive)
        case .wns: wns()
        case .adm: adm(secondsToLive: secondsToLive)
        case .browser: browser()
        }
    }

    private mutating func apns() {
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
        if kind == .rich, !isVisible { texts(TextKey.heads, &members) }
        extras(&members)
        raw("}")
    }

    private mutating func fcm(secondsToLive: Int64) {
        raw(#"{"message":{"#)
        if kind == .alert {
            raw(#""notification":{"#)
            var shown = JSONMembers(isFirst: true)
            shown.append("title", content.texts.title, to: &bytes)
            shown.append("body", content.texts.message ?? "", to: &bytes)
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

    private mutating func wns() {
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

    private mutating func adm(secondsToLive: Int64) {
        raw(#"{"data":{"#)
        object()
        raw(#"},"expiresAfter":\#(secondsToLive)}"#)
    }

    private mutating func browser() {
        raw("{")
        object()
        raw("}")
    }

    // MARK: Parts

    /// The whole content of a push, without the outer braces, for platforms that have no keys of
    /// their own.
    private mutating func object() {
        var members = JSONMembers(isFirst: true)
        name(&members)
        if kind == .alert { members.append("message", content.texts.message ?? "", to: &bytes) }
        if kind != .secure { texts(TextKey.heads, &members) }
        if kind.isSilent { members.append("placeholder", content.texts.placeholder, to: &bytes) }
        extras(&members)
    }

    private mutating func texts(_ keys: [TextKey], _ members: inout JSONMembers) {
        for key in keys { members.append(key.rawValue, content.texts[key], to: &bytes) }
    }

    private mutating func name(_ members: inout JSONMembers) {
        switch kind {
        case .alert: break
        case .secure: members.append("secureId", content.notification.text, to: &bytes)
        case .rich:
            members.append("richId", content.notification.text, to: &bytes)
            members.append("richType", content.type, to: &bytes)
            members.append("richMessage", content.texts.message, to: &bytes)
        }
    }

    private mutating func extras(_ members: inout JSONMembers) {
        guard kind != .secure else { return }
        members.append("link", content.link, to: &bytes)
        for (key, value) in content.data { members.append(key, value, to: &bytes) }
    }

    private var shownTitle: String? { kind == .secure ? nil : content.texts.title }

    private var shownText: String {
        (kind.isSilent ? content.texts.placeholder : content.texts.message) ?? ""
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

    /// The app's start argument: the ID or, for an alert, the link and data keys as a query string.
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

    /// Appends a member, unless its value is nil.
    mutating func append(_ key: String, _ value: String?, to bytes: inout [UInt8]) {
        guard let value else { return }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONText.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &bytes)
    }
}
