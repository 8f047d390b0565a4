/// The title and message that people get, and the content that the device fetches.
package struct Payload: Sendable {
    package let texts: Texts<LocalizedTemplate>
    /// The word that is sent as `richType` (rich); the campaign can choose any word.
    package let type: MessageTemplate?
    /// The content that the device fetches (secure, rich), unless its language has its own content.
    package let content: PayloadContent?
    /// The content's text by language; nil if ``content`` is not text.
    package let contentText: LocalizedTemplate?
    /// The address that opens with the notification (rich, alert); values are percent-encoded.
    package let link: MessageTemplate?
    /// More keys for the app, in the file's order.
    package let data: [(key: String, value: MessageTemplate)]
    /// The number on the app's icon, for visible pushes on apns; 0 removes the number.
    package let badge: Int?
    /// The sound of visible pushes on apns.
    package let sound: String?
    /// The group of notifications, for visible pushes on apns.
    package let thread: String?
    /// The texts that differ on a platform: the keys `payload.apns`, `payload.wns` and so on.
    package let platformTexts: [Platform: Texts<LocalizedTemplate>]
    /// Whether title and message stay out of the push (rich).
    package let isMessagePrivate: Bool
    /// Whether the link and the data stay out of the push if they have variables (rich).
    package let areValuesPrivate: Bool
    /// The payload's lifetime, measured from the run's start.
    package let expiresAfter: Duration
    /// The columns that texts use, without repeats, in order of appearance.
    package let variables: [String]
    /// The languages of all texts, without repeats, in order of appearance.
    package let languages: [LanguageTag]
    private let templates: [MessageTemplate]

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
        templates =
            fetched.flatMap(\.templates) + [type, content?.template, link].compactMap(\.self)
            + data.map(\.value) + all.flatMap(\.templates)
        self.variables = templates.flatMap(\.variables).filter { seen.insert($0).inserted }
        var named: Set<LanguageTag> = []
        self.languages = all.flatMap(\.languages).filter { named.insert($0).inserted }
    }

    /// The distinct defaults of a variable.
    package func defaults(of variable: String) -> Set<String> {
        Set(
            templates.flatMap(\.segments).compactMap { segment in
                guard case .variable(variable, let fallback) = segment else { return nil }
                return fallback
            })
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

/// The content that is stored for devices to fetch.
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

/// A payload file that was read completely.
package struct PayloadFile: Hashable, Sendable {
    /// The path as written in the campaign file.
    package let path: String
    package let mediaType: String
    package let bytes: [UInt8]

    package init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
