package struct LocalizedTemplate: Sendable {
    /// The `default` text.
    package let fallback: MessageTemplate
    /// The other texts in the file's order, each language once.
    package let others: [(language: LanguageTag, template: MessageTemplate)]

    package init(
        _ fallback: MessageTemplate,
        others: [(language: LanguageTag, template: MessageTemplate)] = []
    ) {
        self.fallback = fallback
        self.others = others
    }

    /// The languages in the file's order, without the default.
    package var languages: [LanguageTag] { others.map(\.language) }

    package var templates: [MessageTemplate] { [fallback] + others.map(\.template) }

    package var variables: [String] { templates.flatMap(\.variables) }

    /// The text for the longest matching prefix of a language, or the default.
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
