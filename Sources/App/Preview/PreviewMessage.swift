import CampaignCore

/// One message in one language, filled in for one person if it has variables.
struct PreviewMessage: Sendable {
    /// nil: `default`.
    var language: LanguageTag?
    /// Readers of this or a similar message; nil if chosen for one person.
    var people: Int?
    /// nil: the same for all, or values are left out.
    var person: Username?
    /// Variables without a value, which use the default.
    var defaults: [String]
    /// One for platforms with equal texts.
    var appearances: [PreviewAppearance]
    /// Rich only.
    var type: String?
    var link: String?
    /// In the file's order.
    var data: [(key: String, value: String)]
    /// nil for an alert.
    var content: PreviewContent?

    init(
        language: LanguageTag?, people: Int?, person: Username?, defaults: [String] = [],
        appearances: [PreviewAppearance], type: String? = nil, link: String? = nil,
        data: [(key: String, value: String)] = [], content: PreviewContent? = nil
    ) {
        self.language = language
        self.people = people
        self.person = person
        self.defaults = defaults
        self.appearances = appearances
        self.type = type
        self.link = link
        self.data = data
        self.content = content
    }
}

struct PreviewAppearance: Hashable, Sendable {
    var platforms: [Platform]
    var title: String?
    var message: String?
    /// Shown until the app has fetched the rest.
    var placeholder: String?
    /// Whether the placeholder already has the title.
    var isTitleEarly: Bool

    init(
        platforms: [Platform], title: String?, message: String?, placeholder: String?,
        isTitleEarly: Bool = false
    ) {
        self.platforms = platforms
        self.title = title
        self.message = message
        self.placeholder = placeholder
        self.isTitleEarly = isTitleEarly
    }
}

enum PreviewContent: Sendable {
    case text(String)
    case url(String)
    case file(PayloadFile)
}

extension PreviewMessage {
    /// In bytes.
    private static let longestText = 16_000

    /// Such as `German (de), 300 people, as bob reads it, who has no "first_name"`.
    var heading: Phrase {
        var parts: [Phrase] = []
        if let language { parts.append("\(LanguageNames.phrase(language))") }
        if let people { parts.append(Phrase(Figures.count(people, "person", "people"))) }
        if let person { parts.append("as \(name: person.text) reads it") }
        if !defaults.isEmpty {
            let variables = defaults.map { variable -> Phrase in "\(given: variable)" }
            parts.append("who has no \(Phrase.list(variables))")
        }
        return .list(parts)
    }

    /// The beginning of a secure campaign's text.
    var fetchedText: String? {
        switch content {
        case .text(let text): text
        case .file(let file):
            String(decoding: file.bytes.prefix(Self.longestText), as: UTF8.self)
        case .url, nil: nil
        }
    }

    /// The content in words, with its size.
    var contentWords: Phrase? {
        switch content {
        case nil: nil
        case .text(let text): "a text of \(Figures.size(text.utf8.count))"
        case .url: "an address"
        case .file(let file):
            "\(given: file.path) (\(name: file.mediaType), \(Figures.size(file.bytes.count)))"
        }
    }
}
