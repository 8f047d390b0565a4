import CampaignCore
import DeviceClient
import Foundation

/// The line of text or JSON that a device prints for a notification.
struct DeviceLine: JSONLine {
    private static let mostShown = 400

    enum Way: String, Encodable {
        /// Nothing was shown until the app had fetched the payload.
        case silent
        /// A placeholder was shown until the app had fetched the payload.
        case placeholder
    }

    let device: Int
    let platform: String
    /// The kind: `secure`, `rich`, `alert`, `generic`, `placeholder` or `nothing`.
    let kind: String
    /// The id; nil if there was nothing to fetch.
    let way: Way?
    var id: String?
    var type: String?
    var title: String?
    var message: String?
    var link: String?
    /// Additional keys for the app.
    var data: [String: String]?
    /// The text that was shown before the message.
    var placeholder: String?
    /// Whether a notification with the same id was shown before.
    var isRepeat: Bool?
    var mediaType: String?
    var bytes: Int?
    /// The content, if it is text.
    var text: String?
    /// The reason why nothing is shown or why the placeholder is not replaced.
    var reason: String?
    var file: String?
    var read = false
    private var isNothing = false
    /// Whether the backend no longer has the payload for the user.
    private(set) var isGone = false

    private enum CodingKeys: String, CodingKey {
        case device, platform, kind, way, id, type, title, message, link, data, placeholder
        case isRepeat = "repeat"
        case mediaType = "media_type"
        case bytes, text, reason, file, read
    }

    /// Describes what a device shows.
    init(_ notification: DeviceNotification, of push: DevicePush, on device: SimulatedDevice) {
        self.device = device.number
        platform = device.platform.rawValue
        id = push.id?.text
        way = push.id.map { _ -> Way in push.placeholder == nil ? .silent : .placeholder }
        placeholder = push.placeholder
        var extras = NotificationExtras.none
        switch notification {
        case .secure(_, let text, let more):
            kind = "secure"
            message = text
            extras = more
        case .rich(let rich):
            kind = "rich"
            type = rich.type
            message = rich.message
            extras = rich.extras
            mediaType = rich.content.essence
            bytes = rich.content.data.count
            text = rich.content.text
        case .alert(let text, let more):
            kind = "alert"
            message = text
            extras = more
        case .generic(_, let text):
            kind = "generic"
            message = text
        case .nothing(let why):
            kind = "nothing"
            isNothing = true
            isGone = why == .gone
            reason =
                switch why {
                case .shownBefore: "shown before"
                case .gone: "gone"
                case .notOurs: "not ours"
                }
        }
        take(extras)
    }

    /// Describes a placeholder that is not replaced.
    init(placeholderOf push: DevicePush, on device: SimulatedDevice, _ why: PlaceholderReason) {
        self.device = device.number
        platform = device.platform.rawValue
        id = push.id?.text
        kind = "placeholder"
        way = .placeholder
        message = push.placeholder
        isGone = why == .gone
        reason =
            switch why {
            case .nothingToReplace: "no extension runs without mutable-content"
            case .late: "too late"
            case .signedOut: "signed out"
            case .gone: "gone"
            case .credentialUnavailable: "no credential"
            case .backend: "the backend failed"
            }
        take(push.extras)
    }

    private mutating func take(_ extras: NotificationExtras) {
        title = extras.title
        link = extras.link
        data = extras.data.isEmpty ? nil : extras.data
    }

    var isNew: Bool { !isNothing && isRepeat != true }

    /// The line for people, escaped so that text from outside cannot control the terminal.
    var shown: String {
        // The kind already shows that the placeholder was not replaced.
        let shownWay = kind == Way.placeholder.rawValue ? nil : way?.rawValue
        var words = ["\(device)", platform, kind, shownWay, id, type].compactMap {
            $0.map(Self.safe)
        }
        if isRepeat == true { words.append("again") }
        if let mediaType, let bytes {
            let size = Figures.count(bytes, "byte", "bytes")
            words.append("(\(Self.safe(mediaType)), \(size))")
        }
        var line = words.joined(separator: " ")
        let texts = [title, message].compactMap(\.self).map(Self.safe)
        if !texts.isEmpty { line += ": " + texts.joined(separator: " / ") }
        if let text { line += " | " + Self.safe(text) }
        if let placeholder { line += " (replaces: \(Self.safe(placeholder)))" }
        if let reason { line += texts.isEmpty ? ": " + reason : " (\(reason))" }
        if let link { line += " -> " + Self.safe(link) }
        for (key, value) in (data ?? [:]).sorted(by: { $0.key < $1.key }) {
            line += " \(Self.safe(key))=\(Self.safe(value))"
        }
        if let file { line += " > " + Self.safe(file) }
        return line + "\n"
    }

    private static func safe(_ text: String) -> String {
        let start = text.prefix(mostShown)
        return VisibleText.escape(String(start)) + (start.count < text.count ? "…" : "")
    }
}
