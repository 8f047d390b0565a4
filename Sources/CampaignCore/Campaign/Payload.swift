/// What people are told: title and message, and the content that the device fetches.
package struct Payload: Sendable {
    /// Rich and alert.
    package let title: LocalizedTemplate?
    /// Rich and alert.
    package let message: LocalizedTemplate?
    /// The free word sent as `richType` (rich).
    package let type: MessageTemplate?
    /// What the device fetches (secure, rich), unless its language has its own.
    package let content: PayloadContent?
    /// The text in it, by language; nil if ``content`` is not text.
    package let contentText: LocalizedTemplate?
    /// Shown until the device has fetched the rest (secure, rich); nil: the push is silent.
    package let placeholder: LocalizedTemplate?
    /// What opening the notification opens (rich, alert); values are percent-encoded.
    package let link: MessageTemplate?
    /// Further keys for the app, in the file's order.
    package let data: [(key: String, value: MessageTemplate)]
    /// Visible pushes of apns; 0 removes the number.
    package let badge: Int?
    /// Visible pushes of apns.
    package let sound: String?
    /// Groups notifications (visible pushes of apns).
    package let thread: String?
    package let platformTexts: [Platform: PlatformTexts]
    /// Whether title and message stay out of the push (rich).
    package let isMessagePrivate: Bool
    /// Whether a link and further keys with variables stay out of the push (rich).
    package let areValuesPrivate: Bool
    /// From the run's start.
    package let expiresAfter: Duration
    /// Columns that any text uses, unique, in order of appearance.
    package let variables: [String]
    /// Languages of any text, unique, in order of appearance.
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

    package var isPersonal: Bool { !variables.isEmpty }

    package var pushOptions: PushOptions {
        let isPrivate = { (text: MessageTemplate) in areValuesPrivate && !text.variables.isEmpty }
        return PushOptions(
            badge: badge, sound: sound, thread: thread,
            placeholders: Platform.allCases.filter { texts(on: $0).placeholder != nil },
            isLinkPrivate: link.map(isPrivate) ?? false,
            privateData: data.filter { isPrivate($0.value) }.map(\.key).sorted())
    }

    /// nil: for everybody whose language has no text of its own.
    package func content(in language: LanguageTag?) -> PayloadContent? {
        contentText.map { .text($0.template(for: language)) } ?? content
    }

    /// All texts in one of ``languages``, on all platforms.
    package func templates(for language: LanguageTag?) -> [MessageTemplate] {
        let special = Platform.allCases.compactMap { platformTexts[$0] }
            .flatMap { [$0.title, $0.message, $0.placeholder] }
        let texts = ([title, message, placeholder] + special).compactMap(\.self)
        return texts.map { $0.template(for: language) }
            + [type, content(in: language)?.template, link].compactMap(\.self)
            + data.map(\.value)
    }

    package func texts(on platform: Platform) -> PlatformTexts {
        let special = platformTexts[platform]
        return PlatformTexts(
            title: special?.title ?? title, message: special?.message ?? message,
            placeholder: special?.placeholder ?? placeholder)
    }
}

/// The part that is stored for devices to fetch.
package enum PayloadContent: Sendable {
    case file(PayloadFile)
    case text(MessageTemplate)
    /// An address that the device opens; values of variables are percent-encoded.
    case url(MessageTemplate)

    /// nil for a file.
    package var template: MessageTemplate? {
        switch self {
        case .file: nil
        case .text(let template), .url(let template): template
        }
    }
}

/// A payload file, completely read.
package struct PayloadFile: Hashable, Sendable {
    /// As the campaign file names it.
    package let path: String
    package let mediaType: String
    package let bytes: [UInt8]

    package init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
