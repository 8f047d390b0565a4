import CampaignCore
import FoundationEssentials

/// The output of `hubsend payload show`: a description, an empty line, and the text.
struct NotificationText: Sendable {
    private static let longestLine = 500

    private let overview: NotificationOverview
    private let notification: StoredNotification
    private let now: Date
    private let style: TextStyle

    init(
        _ overview: NotificationOverview, _ notification: StoredNotification, at now: Date,
        style: TextStyle
    ) {
        self.overview = overview
        self.notification = notification
        self.now = now
        self.style = style
    }

    /// The facts, then the text or how to get other content.
    func text() -> String {
        ([style.apply(.bold, to: overview.id.text)] + facts + [""] + content)
            .joined(separator: "\n") + "\n"
    }

    private var facts: [String] {
        var table = TextTable([.left, .left], indent: 2)
        table.append(["campaign", overview.campaign])
        table.append(["run", overview.run.text])
        table.append(["kind", overview.kind.rawValue])
        if let language = notification.language { table.append(["language", language.text]) }
        if let type = notification.type { table.append(["type", Self.line(type)]) }
        if let title = notification.title { table.append(["title", Self.line(title)]) }
        if let message = notification.message {
            table.append(["message", Self.line(message)])
        }
        if let link = notification.link { table.append(["link", Self.line(link)]) }
        for (key, value) in notification.data.sorted(by: { $0.key < $1.key }) {
            table.append(["data", Self.line("\(key)=\(value)")])
        }
        if let mediaType = overview.mediaType { table.append(["media type", mediaType]) }
        if let bytes = notification.bytes {
            table.append(["bytes", Figures.count(bytes.count)])
        }
        table.append([
            "for",
            overview.recipient?.text ?? Figures.count(overview.recipients, "person", "people"),
        ])
        table.append(["at rest", overview.isEncrypted ? "encrypted" : "plain"])
        table.append(["state", PayloadState(overview, at: now).rawValue])
        table.append(["created", UTCTime.readable(overview.created)])
        table.append(["expires", UTCTime.readable(overview.expires)])
        if let revoked = overview.revoked {
            table.append(["revoked", UTCTime.readable(revoked)])
        }
        table.append(["fetched by", Figures.count(overview.fetched)])
        table.append(["read by", Figures.count(overview.read)])
        return table.lines()
    }

    /// On one line, so that it cannot pass for another fact.
    private static func line(_ text: String) -> String {
        HubText.cleaned(text, limit: longestLine)
    }

    private var content: [String] {
        guard notification.bytes != nil else {
            return [
                overview.kind.isSilent
                    ? "Its content was purged." : "An alert has no content; its message is all."
            ]
        }
        guard let text = notification.text(overview.mediaType) else {
            return ["Its content is not text. To write it into a file: --output FILE"]
        }
        return [VisibleText.lines(text)]
    }
}

enum PayloadState: String {
    case available
    case expired
    case revoked
    case purged

    init(_ overview: NotificationOverview, at now: Date) {
        if overview.byteCount == nil, overview.kind.isSilent {
            self = .purged
        } else if overview.revoked != nil {
            self = .revoked
        } else {
            self = overview.expires <= now ? .expired : .available
        }
    }
}
