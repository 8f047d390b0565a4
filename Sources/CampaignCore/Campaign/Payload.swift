/// What a campaign tells people: the message, and the content that the device fetches.
package struct Payload: Sendable {
    /// What the device shows (rich, alert).
    package let message: MessageTemplate?
    /// The free word sent as `richType` (rich).
    package let type: MessageTemplate?
    /// What the device fetches (secure, rich); nil for alert.
    package let content: PayloadContent?
    /// Whether the message stays out of the push.
    package let isMessagePrivate: Bool
    /// From the run's start.
    package let expiresAfter: Duration
    /// The columns that message, type or content draw on, each once, in order of appearance.
    package let variables: [String]

    package init(
        message: MessageTemplate?, type: MessageTemplate?, content: PayloadContent?,
        isMessagePrivate: Bool, expiresAfter: Duration
    ) {
        self.message = message
        self.type = type
        self.content = content
        self.isMessagePrivate = isMessagePrivate
        self.expiresAfter = expiresAfter
        var seen: Set<String> = []
        let templates = [message, type, content?.template].compactMap(\.self)
        self.variables = templates.flatMap(\.variables).filter { seen.insert($0).inserted }
    }

    /// Whether every recipient gets a notification of their own.
    package var isPersonal: Bool { !variables.isEmpty }
}

/// The part of a payload that is stored for devices to fetch.
package enum PayloadContent: Sendable {
    /// The bytes of a file, with their media type.
    case file(PayloadFile)
    /// A text, possibly with variables.
    case text(MessageTemplate)
    /// An address that the device opens, possibly with variables, whose values are percent-encoded.
    case url(MessageTemplate)

    /// The template to render, where the content is not a file.
    package var template: MessageTemplate? {
        switch self {
        case .file: nil
        case .text(let template), .url(let template): template
        }
    }
}

/// A payload file, opened safely and read whole.
package struct PayloadFile: Hashable, Sendable {
    /// As the campaign file names it.
    package let path: String
    /// Such as `image/png`.
    package let mediaType: String
    package let bytes: [UInt8]

    package init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
