import CampaignCore
import DeviceClient
import Foundation

/// One notification as a device tells of it: a line of text, or of JSON.
struct DeviceLine: Encodable {
    private static let mostShown = 400

    let device: Int
    let platform: String
    /// `secure`, `rich`, `alert`, `generic` or `nothing`.
    let kind: String
    var id: String?
    var type: String?
    /// What the device shows.
    var message: String?
    var mediaType: String?
    var bytes: Int?
    /// The content, where it is a text.
    var text: String?
    /// Why nothing is shown.
    var reason: String?
    /// Where the content was saved.
    var file: String?
    /// Whether the backend was told that it was read.
    var read = false
    /// Why nothing is shown, for the count; ``reason`` says it to the reader.
    let nothing: NothingToShow?

    private enum CodingKeys: String, CodingKey {
        case device, platform, kind, id, type, message
        case mediaType = "media_type"
        case bytes, text, reason, file, read
    }

    /// Describes what a device shows.
    ///
    /// - Parameters:
    ///   - notification: what it shows.
    ///   - id: the notification that the push named; nil: it named none.
    ///   - device: the device.
    init(
        _ notification: DeviceNotification, of id: DeviceClient.NotificationID?,
        on device: SimulatedDevice
    ) {
        self.device = device.number
        platform = device.platform.rawValue
        self.id = id?.text
        nothing = if case .nothing(let why) = notification { why } else { nil }
        switch notification {
        case .secure(_, let text):
            kind = "secure"
            message = text
        case .rich(let rich):
            kind = "rich"
            type = rich.type
            message = rich.message
            mediaType = rich.content.essence
            bytes = rich.content.data.count
            text = rich.content.text
        case .alert(let text):
            kind = "alert"
            message = text
        case .generic(_, let text):
            kind = "generic"
            message = text
        case .nothing(let why):
            kind = "nothing"
            reason =
                switch why {
                case .shownBefore: "shown before"
                case .gone: "gone"
                case .notOurs: "not ours"
                }
        }
    }

    /// The line in JSON; what steers a terminal is written by its number there too.
    ///
    /// - Throws: when it cannot be written.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return VisibleText.json(text) + "\n"
    }

    /// The line for a person: what comes from others cannot steer the terminal.
    var shown: String {
        var words = ["\(device)", platform, kind, id, type].compactMap { $0.map(Self.safe) }
        if let mediaType, let bytes {
            let size = Figures.count(bytes, "byte", "bytes")
            words.append("(\(Self.safe(mediaType)), \(size))")
        }
        var line = words.joined(separator: " ")
        if let said = message ?? reason { line += ": " + Self.safe(said) }
        if let text { line += " | " + Self.safe(text) }
        if let file { line += " > " + Self.safe(file) }
        return line + "\n"
    }

    private static func safe(_ text: String) -> String {
        let start = text.prefix(mostShown)
        return VisibleText.escape(String(start)) + (start.count < text.count ? "…" : "")
    }
}
