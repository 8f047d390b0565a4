package import CampaignCore

/// Counts of an audience: people whose language no text has, and people without a value.
///
/// They are counted while the audience is read once, and take little memory however many people there are.
package struct AudienceMakeup: Sendable {
    /// The most languages that are counted; no real audience has as many.
    private static let mostTags = 1_000

    /// How many people have a language that no text has, by that language.
    package private(set) var strangers: [LanguageTag: Int] = [:]
    /// How many people have no value, by variable.
    package private(set) var withoutValue: [(variable: String, people: Int)] = []
    /// The first person who has no value for some variable; nil: everybody has all.
    package private(set) var firstWithout: AudienceMember?

    private var languages: LanguageChoice
    private let hasLanguages: Bool
    /// The variables that a person of each language reads, by their places in ``withoutValue``; nil: everybody else.
    private let places: [LanguageTag?: [Int]]

    /// Knows nothing, for an audience that was not looked at.
    package init() {
        languages = LanguageChoice([])
        hasLanguages = false
        places = [:]
    }

    /// Begins to count.
    ///
    /// - Parameter payload: what the people are sent.
    init(_ payload: Payload) {
        languages = LanguageChoice(payload.languages)
        hasLanguages = !payload.languages.isEmpty
        let variables = payload.variables
        withoutValue = variables.map { ($0, 0) }
        let all = (payload.languages.map(Optional.some) + [nil]).map { language in
            let read = Set(payload.templates(for: language).flatMap(\.variables))
            return (language, variables.indices.filter { read.contains(variables[$0]) })
        }
        places = Dictionary(uniqueKeysWithValues: all)
    }

    /// Counts one person; they are given in name order.
    mutating func visit(_ member: AudienceMember) {
        let language = languages.language(for: member.language)
        for index in places[language] ?? [] {
            let value = index < member.values.count ? member.values[index] : nil
            if value?.isEmpty ?? true {
                withoutValue[index].people += 1
                if firstWithout == nil { firstWithout = member }
            }
        }
        guard hasLanguages, let tag = member.language, language == nil,
            strangers[tag] != nil || strangers.count < Self.mostTags
        else { return }
        strangers[tag, default: 0] += 1
    }
}
