/// What people get: title and message, and the content that the device fetches.
package struct Payload: Sendable {
    package let texts: Texts<LocalizedTemplate>
    /// The free word sent as `richType` (rich).
    package let type: MessageTemplate?
    /// What the device fetches (secure, rich), unless its language has its own.
    package let content: PayloadContent?
    /// The content's text by language; nil if ``content`` is not text.
    package let contentText: LocalizedTemplate?
    /// The address that opens with the notification (rich, alert); values are percent-encoded.
    package let link: MessageTemplate?
    /// More keys for the app, in the file's order.
    package let data: [(key: String, value: MessageTemplate)]
    /// For visible pushes of apns; 0 removes the number.
    package let badge: Int?
    /// For visible pushes of apns.
    package let sound: String?
    /// Groups notifications (visible pushes of apns).
    package let thread: String?
    /// The texts that differ on a platform: the keys `payload.apns`, `payload.wns` and so on.
    package let platformTexts: [Platform: Texts<LocalizedTemplate>]
    /// Whether title and message stay out of the push (rich).
    package let isMessagePrivate: Bool
    /// Whether a link and more keys stay out of the push if they have variables (rich).
    package let areValuesPrivate: Bool
    /// From the run's start.
    package let expiresAfter: Duration
    /// The columns that texts use, unique, in order of appearance.
    package let variables: [String]
    /// The languages of all texts, unique, in order of appearance.
    package let languages: [LanguageTag]

    package init(
        texts: Texts<LocalizedTemplate> = Texts(), type: MessageTemplate?,
        content: PayloadContent?, contentText: LocalizedTemplate? = nil,
        link: MessageTemplate? = nil, data: [(key: String, value: MessageTemplate)] = [],
        badge: Int? = nil, sound: String? = nil, thread: String? = nil,
        platformTexts: [Platform: Texts<LocalizedTemplate>] = [:], isMessagePrivate: Bool,
        areValuesPrivate: Bool = true, expiresAfter: Duration
    ) {
        self.texts = texts
        self.type = type
        self.content = content
        if case .text(let text)? = content {
            self.contentText = contentText ?? LocalizedTemplate(text)
        } else {
            self.contentText = nil
        }
        self.link = link
        self.data = data
        self.badge = badge
        self.sound = sound
        self.thread = thread
        self.platformTexts = platformTexts
        self.isMessagePrivate = isMessagePrivate
        self.areValuesPrivate = areValuesPrivate
        self.expiresAfter = expiresAfter
        let special = Platform.allCases.flatMap { platformTexts[$0]?.all ?? [] }
        let fetched = TextKey.fetched.compactMap { texts[$0] }
        let all =
            fetched + [self.contentText, texts.placeholder].compactMap(\.self) + special
        var seen: Set<String> = []
        var variables = fetched.flatMap(\.variables)
        variables += [type, content?.template, link].compactMap(\.self).flatMap(\.variables)
        variables += data.flatMap(\.value.variables)
        variables += all.flatMap(\.variables)
        self.variables = variables.filter { seen.insert($0).inserted }
        var named: Set<LanguageTag> = []
        self.languages = all.flatMap(\.languages).filter { named.insert($0).inserted }
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

    /// A nil language stands for everybody whose language has no text of its own.
    package func content(in language: LanguageTag?) -> PayloadContent? {
        contentText.map { .text($0.template(for: language)) } ?? content
    }

    /// All texts in one of ``languages``, on all platforms.
    package func templates(for language: LanguageTag?) -> [MessageTemplate] {
        let special = Platform.allCases.flatMap { platformTexts[$0]?.all ?? [] }
        return (texts.all + special).map { $0.template(for: language) }
            + [type, content(in: language)?.template, link].compactMap(\.self)
            + data.map(\.value)
    }

    package func texts(on platform: Platform) -> Texts<LocalizedTemplate> {
        platformTexts[platform].map { $0.over(texts) } ?? texts
    }
}

/// The part that is stored for devices to fetch.
package enum PayloadContent: Sendable {
    case file(PayloadFile)
    case text(MessageTemplate)
    /// An address that the device opens; values of variables are percent-encoded.
    case url(MessageTemplate)

    /// The text or address as a template; nil for a file.
    package var template: MessageTemplate? {
        switch self {
        case .file: nil
        case .text(let template), .url(let template): template
        }
    }
}

/// A payload file, completely read.
package struct PayloadFile: Hashable, Sendable {
    /// As written in the campaign file.
    package let path: String
    package let mediaType: String
    package let bytes: [UInt8]

    package init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
