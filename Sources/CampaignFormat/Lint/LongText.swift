import CampaignCore
import YAMLSyntax

/// Says how much of a long text phones show before it is opened.
struct TextLengthCheck {
    private struct Room {
        let devices: String
        let title: Int
        let message: Int
        let lines: String
    }

    /// What a device shows before a notification is opened.
    ///
    /// Vendors name lines, not characters. Characters are as measured by
    /// https://reteno.com/blog/push-notification-character-limits-tips-to-be-visible (phones) and
    /// https://getfirepush.com/help/web-push-notifications/push-character-limits (browsers); a
    /// toast has the lines of ToastText01 and ToastText02
    /// (https://learn.microsoft.com/uwp/api/windows.ui.notifications.toasttemplatetype).
    private static func room(on platform: Platform) -> Room {
        switch platform {
        case .apns: Room(devices: "iPhones", title: 50, message: 178, lines: "about 4 lines")
        case .fcm:
            Room(
                devices: "Android phones", title: 65, message: 240,
                lines: "about 5 lines when expanded")
        case .adm:
            Room(
                devices: "Fire tablets", title: 65, message: 240,
                lines: "about 5 lines when expanded")
        case .wns: Room(devices: "Windows", title: 50, message: 140, lines: "3 lines")
        case .browser: Room(devices: "browsers", title: 50, message: 120, lines: "2 lines")
        }
    }

    private let root: YAMLNode
    private let platforms: [Platform]
    private let kind: CampaignKind?

    init(_ root: YAMLNode, _ parts: CampaignLint.Parts) {
        self.root = root
        platforms = parts.platforms
        kind = parts.kind
    }

    func run(_ remarks: inout Remarks) {
        guard let kind else { return }
        // Only these two show a push with a placeholder without the app.
        let visible = platforms.filter { [.apns, .wns].contains($0) }
        for (key, platforms) in [
            ("title", platforms), ("message", platforms), ("placeholder", visible),
        ]
        where MappingShape.payload[key]?.kinds.contains(kind) == true {
            let own = platforms.filter { root.entry(at: "payload", $0.rawValue, key) != nil }
            if let entry = root.entry(at: "payload", key) {
                check(
                    entry.value, "payload.\(key)", on: platforms.filter { !own.contains($0) },
                    &remarks)
            }
            for platform in own {
                guard let entry = root.entry(at: "payload", platform.rawValue, key) else {
                    continue
                }
                check(entry.value, "payload.\(platform.rawValue).\(key)", on: [platform], &remarks)
            }
        }
        if let fallback = root.entry(at: "delivery", "fallback", "message") {
            check(fallback.value, "delivery.fallback.message", on: platforms, &remarks)
        }
    }

    private func check(
        _ text: YAMLNode, _ key: String, on platforms: [Platform], _ remarks: inout Remarks
    ) {
        guard let longest = Self.longest(in: text) else { return }
        let isTitle = key.hasSuffix("title")
        let cut = platforms.map(Self.room).filter {
            longest.length > (isTitle ? $0.title : $0.message)
        }.map { room in
            let shown = isTitle ? room.title : room.message
            let lines = isTitle ? "about one line" : room.lines
            return
                "\(room.devices) show \(lines) (\(shown) characters), and \(Figures.count(longest.length - shown)) more are cut"
        }
        guard !cut.isEmpty else { return }
        remarks.add(
            .longText, at: longest.range,
            "\"\(key)\" has \(Figures.count(longest.length)) characters: \(cut.joined(separator: "; ")).",
            help: "Put first what everybody should read, or shorten the text.")
    }

    /// In characters; a variable counts with its default.
    private static func longest(in node: YAMLNode) -> (length: Int, range: SourceRange)? {
        if case .mapping(let entries) = node.content {
            return entries.compactMap { longest(in: $0.value) }.max { $0.length < $1.length }
        }
        guard let text = node.scalarText else { return nil }
        let length = MessageTemplateReading(text).template.segments.reduce(0) { length, segment in
            switch segment {
            case .literal(let text): length + text.count
            case .variable(_, let fallback): length + (fallback ?? "").count
            }
        }
        return (length, node.range)
    }
}
