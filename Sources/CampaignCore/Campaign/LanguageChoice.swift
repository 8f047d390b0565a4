/// Finds out in which of a campaign's languages people get it, and remembers: an audience has few languages.
package struct LanguageChoice: Sendable {
    /// Tags that are remembered at most; an audience file could name millions.
    private static let most = 1_000

    private let languages: Set<LanguageTag>
    private var known: [LanguageTag: LanguageTag?] = [:]

    /// - Parameter languages: those that any text of the campaign names.
    package init(_ languages: [LanguageTag]) {
        self.languages = Set(languages)
    }

    /// The campaign's language for a person.
    ///
    /// - Parameter language: theirs; nil when it is not known.
    /// - Returns: the longest prefix of it that the campaign has; nil: the texts for everybody else.
    package mutating func language(for language: LanguageTag?) -> LanguageTag? {
        guard let language, !languages.isEmpty else { return nil }
        if let found = known[language] { return found }
        let found = language.best(among: languages)
        if known.count < Self.most { known[language] = .some(found) }
        return found
    }
}
