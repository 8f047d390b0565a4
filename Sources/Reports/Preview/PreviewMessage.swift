package import CampaignCore

/// One message as people read it: the texts of one language, filled in for one person where they have variables.
package struct PreviewMessage: Sendable {
    /// The language whose texts these are; nil: `default`.
    package var language: LanguageTag?
    /// How many people read it, or one like it; nil where it was chosen for the person alone.
    package var people: Int?
    /// Whose values are filled in; nil: it is the same for all, or the values are left out.
    package var person: Username?
    /// Variables for which that person has no value, and reads the default.
    package var defaults: [String]
    /// What it says; platforms that say the same are one.
    package var appearances: [PreviewAppearance]
    /// The word that tells the app what it is (rich).
    package var type: String?
    /// What opening it opens.
    package var link: String?
    /// Further keys for the app, in the file's order.
    package var data: [(key: String, value: String)]
    /// What the app fetches; nil for an alert.
    package var content: PreviewContent?

    package init(
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

/// What a message says on some platforms.
package struct PreviewAppearance: Hashable, Sendable {
    package var platforms: [Platform]
    package var title: String?
    package var message: String?
    /// What is shown until the app has fetched the rest; nil: nothing is.
    package var placeholder: String?
    /// Whether the title is shown above the placeholder already.
    package var isTitleEarly: Bool

    package init(
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

/// What an app fetches when a push names it.
package enum PreviewContent: Sendable {
    case text(String)
    case url(String)
    case file(PayloadFile)
}

extension PreviewMessage {
    /// The most bytes of a file that are shown.
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

    /// The beginning of what the app of a secure campaign fetches, which is a text; nil where there is none.
    var fetchedText: String? {
        switch content {
        case .text(let text): text
        case .file(let file):
            String(decoding: file.bytes.prefix(Self.longestText), as: UTF8.self)
        case .url, nil: nil
        }
    }

    /// What the app fetches, in words that say how much it is.
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
