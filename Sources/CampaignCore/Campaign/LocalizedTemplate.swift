/// A text in the languages of a campaign.
package struct LocalizedTemplate: Sendable {
    /// The text for everybody whose language has none of its own: `default`.
    package let fallback: MessageTemplate
    /// The texts of single languages, in the file's order, each language once.
    package let others: [(language: LanguageTag, template: MessageTemplate)]

    /// - Parameters:
    ///   - fallback: the text for everybody else.
    ///   - others: the texts of single languages.
    package init(
        _ fallback: MessageTemplate,
        others: [(language: LanguageTag, template: MessageTemplate)] = []
    ) {
        self.fallback = fallback
        self.others = others
    }

    /// The languages that have a text of their own, in the file's order.
    package var languages: [LanguageTag] { others.map(\.language) }

    /// All of its texts, the one for everybody else first.
    package var templates: [MessageTemplate] { [fallback] + others.map(\.template) }

    /// The columns that any of its texts draws on, in order, possibly more than once.
    package var variables: [String] { templates.flatMap(\.variables) }

    /// The text for a person.
    ///
    /// - Parameter language: theirs; nil when it is not known.
    /// - Returns: that of the longest prefix of the language that has one.
    package func template(for language: LanguageTag?) -> MessageTemplate {
        guard let language, !others.isEmpty else { return fallback }
        if let match = others.first(where: { $0.language == language }) { return match.template }
        for prefix in language.prefixes.dropFirst() {
            if let match = others.first(where: { $0.language == prefix }) { return match.template }
        }
        return fallback
    }
}

extension LocalizedTemplate: Hashable {
    package static func == (one: LocalizedTemplate, other: LocalizedTemplate) -> Bool {
        one.fallback == other.fallback && one.languages == other.languages
            && one.templates == other.templates
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fallback)
        for (language, template) in others {
            hasher.combine(language)
            hasher.combine(template)
        }
    }
}

/// What people are told on one platform instead: the keys `payload.apns`, `payload.wns` and so on.
package struct PlatformTexts: Hashable, Sendable {
    /// nil: as everywhere.
    package let title: LocalizedTemplate?
    /// nil: as everywhere.
    package let message: LocalizedTemplate?
    /// nil: as everywhere.
    package let placeholder: LocalizedTemplate?

    package init(
        title: LocalizedTemplate? = nil, message: LocalizedTemplate? = nil,
        placeholder: LocalizedTemplate? = nil
    ) {
        self.title = title
        self.message = message
        self.placeholder = placeholder
    }
}
