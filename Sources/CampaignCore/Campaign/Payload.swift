/// What a campaign tells people: title and message, and the content that the device fetches.
package struct Payload: Sendable {
    /// What the device shows above the message (rich, alert).
    package let title: LocalizedTemplate?
    /// What the device shows (rich, alert).
    package let message: LocalizedTemplate?
    /// The free word sent as `richType` (rich).
    package let type: MessageTemplate?
    /// What the device fetches (secure, rich), for everybody whose language has nothing of its own; nil for alert.
    package let content: PayloadContent?
    /// The text among it, in the campaign's languages; nil where ``content`` is no text.
    package let contentText: LocalizedTemplate?
    /// What a push shows until the device has fetched the rest (secure, rich); nil: the push is silent.
    package let placeholder: LocalizedTemplate?
    /// What opening the notification opens (rich, alert): an address, whose values are percent-encoded.
    package let link: MessageTemplate?
    /// Further keys for the app, in the file's order.
    package let data: [(key: String, value: MessageTemplate)]
    /// The number on the app's icon (visible pushes of apns); 0 takes it away.
    package let badge: Int?
    /// The name of a sound (visible pushes of apns).
    package let sound: String?
    /// What groups notifications (visible pushes of apns).
    package let thread: String?
    /// What is said on single platforms instead.
    package let platformTexts: [Platform: PlatformTexts]
    /// Whether title and message stay out of the push (rich).
    package let isMessagePrivate: Bool
    /// Whether a link and further keys that have variables stay out of the push (rich).
    package let areValuesPrivate: Bool
    /// From the run's start.
    package let expiresAfter: Duration
    /// The columns that any text draws on, each once, in order of appearance.
    package let variables: [String]
    /// The languages that any text names, each once, in order of appearance.
    package let languages: [LanguageTag]

    package init(
        title: LocalizedTemplate? = nil, message: LocalizedTemplate?, type: MessageTemplate?,
        content: PayloadContent?, contentText: LocalizedTemplate? = nil,
        placeholder: LocalizedTemplate? = nil,
        link: MessageTemplate? = nil, data: [(key: String, value: MessageTemplate)] = [],
        badge: Int? = nil, sound: String? = nil, thread: String? = nil,
        platformTexts: [Platform: PlatformTexts] = [:], isMessagePrivate: Bool,
        areValuesPrivate: Bool = true, expiresAfter: Duration
    ) {
        self.title = title
        self.message = message
        self.type = type
        self.content = content
        if case .text(let text)? = content {
            self.contentText = contentText ?? LocalizedTemplate(text)
        } else {
            self.contentText = nil
        }
        self.placeholder = placeholder
        self.link = link
        self.data = data
        self.badge = badge
        self.sound = sound
        self.thread = thread
        self.platformTexts = platformTexts
        self.isMessagePrivate = isMessagePrivate
        self.areValuesPrivate = areValuesPrivate
        self.expiresAfter = expiresAfter
        let special = Platform.allCases.compactMap { platformTexts[$0] }
            .flatMap { [$0.title, $0.message, $0.placeholder] }
        let texts = ([title, message, self.contentText, placeholder] + special).compactMap(\.self)
        var seen: Set<String> = []
        var variables = [title, message].compactMap(\.self).flatMap(\.variables)
        variables += [type, content?.template, link].compactMap(\.self).flatMap(\.variables)
        variables += data.flatMap(\.value.variables)
        variables += texts.flatMap(\.variables)
        self.variables = variables.filter { seen.insert($0).inserted }
        var named: Set<LanguageTag> = []
        self.languages = texts.flatMap(\.languages).filter { named.insert($0).inserted }
    }

    /// Whether every recipient gets a notification of their own.
    package var isPersonal: Bool { !variables.isEmpty }

    /// What its pushes have in common.
    package var pushOptions: PushOptions {
        let isPrivate = { (text: MessageTemplate) in areValuesPrivate && !text.variables.isEmpty }
        return PushOptions(
            badge: badge, sound: sound, thread: thread,
            placeholders: Platform.allCases.filter { texts(on: $0).placeholder != nil },
            isLinkPrivate: link.map(isPrivate) ?? false,
            privateData: data.filter { isPrivate($0.value) }.map(\.key).sorted())
    }

    /// What the device of a person with one of ``languages`` fetches; nil: everybody else's.
    package func content(in language: LanguageTag?) -> PayloadContent? {
        contentText.map { .text($0.template(for: language)) } ?? content
    }

    /// All that people with one of ``languages`` get, on whatever platform; nil: everybody else.
    package func templates(for language: LanguageTag?) -> [MessageTemplate] {
        let special = Platform.allCases.compactMap { platformTexts[$0] }
            .flatMap { [$0.title, $0.message, $0.placeholder] }
        let texts = ([title, message, placeholder] + special).compactMap(\.self)
        return texts.map { $0.template(for: language) }
            + [type, content(in: language)?.template, link].compactMap(\.self)
            + data.map(\.value)
    }

    /// What is said on a platform, for everybody there.
    package func texts(on platform: Platform) -> PlatformTexts {
        let special = platformTexts[platform]
        return PlatformTexts(
            title: special?.title ?? title, message: special?.message ?? message,
            placeholder: special?.placeholder ?? placeholder)
    }
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
