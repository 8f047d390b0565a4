import CampaignCore

struct LocatedText {
    /// The text for languages without their own text; nil if it has errors.
    let fallback: LocatedTemplate?
    /// The texts in the file's order, without those that have errors.
    let others: [(language: LanguageTag, text: LocatedTemplate)]
    /// The range of the text or, if there are several languages, of the key.
    let range: SourceRange
    let firstLanguage: SourceRange?

    /// All texts, with the fallback first.
    var all: [LocatedTemplate] { (fallback.map { [$0] } ?? []) + others.map(\.text) }

    var hasVariables: Bool { all.contains { !$0.template.variables.isEmpty } }

    /// nil without a fallback.
    var template: LocalizedTemplate? {
        fallback.map { fallback in
            LocalizedTemplate(
                fallback.template,
                others: others.map { (language: $0.language, template: $0.text.template) })
        }
    }
}

extension MappingReader {
    private static let fallbackKey = "default"
    private static let mostLanguages = 200

    func localized(_ key: String) -> LocatedText? {
        guard let node = self[key], !node.isPlaceholder, case .mapping(let entries) = node.content
        else {
            return template(key).map {
                LocatedText(fallback: $0, others: [], range: $0.range, firstLanguage: nil)
            }
        }
        guard !reportsBareBraces(key) else { return nil }
        guard entries.count <= Self.mostLanguages + 1 else {
            findings.error(
                .tooLarge, at: range(ofKey: key),
                "\"\(name(of: key))\" has more than \(Self.mostLanguages) languages.")
            return nil
        }
        return languages(entries, of: key)
    }

    private func languages(_ entries: [YAMLNode.Entry], of key: String) -> LocatedText {
        var fallback: LocatedTemplate?
        var others: [(language: LanguageTag, text: LocatedTemplate)] = []
        var places: [LanguageTag: Located<String>] = [:]
        var hasFallback = false
        for entry in entries {
            guard let name = languageName(entry.key, of: key) else { continue }
            let text = { template(entry.value, of: "\(key).\(name)", keyRange: entry.key.range) }
            guard name != Self.fallbackKey else {
                if !hasFallback { fallback = text() }
                hasFallback = true
                continue
            }
            guard let language = language(name, at: entry.key.range) else { continue }
            if let first = places[language] {
                // Exact repeats are left to the YAML parser, which reports duplicate keys.
                if first.value != name { reportTwice(language, entry.key.range, first.range) }
                continue
            }
            places[language] = Located(name, at: entry.key.range)
            if let text = text() { others.append((language: language, text: text)) }
        }
        if !hasFallback {
            findings.error(
                .missingKey, at: range(ofKey: key),
                "The key \"\(self.name(of: key)).\(Self.fallbackKey)\" is missing.",
                help:
                    "Write \(Self.fallbackKey): with the text for everybody whose language is not listed."
            )
        }
        return LocatedText(
            fallback: fallback, others: others, range: range(ofKey: key),
            firstLanguage: places.values.map(\.range).min { $0.start < $1.start })
    }

    private func languageName(_ node: YAMLNode, of key: String) -> String? {
        guard !node.isPlaceholder else { return nil }
        guard case .scalar(let scalar) = node.content else {
            findings.error(
                .wrongType, at: node.range,
                "A key of \"\(name(of: key))\" must be a language tag or \(Self.fallbackKey).")
            return nil
        }
        return scalar.text
    }

    /// nil after reporting that the text is not a language tag.
    private func language(_ text: String, at range: SourceRange) -> LanguageTag? {
        guard let tag = LanguageTag(text) else {
            findings.error(
                .invalidLanguage, at: range, "\"\(text.shortened)\" is not a language tag.",
                help: LanguageName.help(for: text, fallback: Self.fallbackKey))
            return nil
        }
        if let meant = LanguageName.correction(of: tag) {
            findings.warning(
                .invalidLanguage, at: range, "There is no language \"\(text)\".",
                help: meant.map { "Did you mean \"\($0)\"?" }
                    ?? "Write an ISO 639 code, such as de or pt-BR.")
        }
        return tag
    }

    private func reportTwice(_ language: LanguageTag, _ range: SourceRange, _ first: SourceRange) {
        findings.error(
            .duplicateValue, at: range,
            "The language \(language) appears twice; language tags are case-insensitive.",
            related: ("It first appears here.", first))
    }
}
