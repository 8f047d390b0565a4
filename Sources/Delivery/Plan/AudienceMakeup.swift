package import CampaignCore

/// What an audience is made of beside who gets which language: languages that no text has, and values that are missing.
///
/// It is counted while the audience is read through once, and holds a few counts however many people there are.
package struct AudienceMakeup: Sendable {
    /// Languages of people beyond this number are not told apart: more than there are in the world's systems.
    private static let mostTags = 1_000

    /// People who have a language that no text has, by that language.
    package private(set) var strangers: [LanguageTag: Int] = [:]
    /// How many people have no value, by variable.
    package private(set) var withoutValue: [(variable: String, people: Int)] = []
    /// The first person who has no value for some variable; nil: everybody has all.
    package private(set) var firstWithout: AudienceMember?

    private var languages: LanguageChoice
    private let hasLanguages: Bool
    /// The variables that a person of each language reads, by their places in ``withoutValue``; nil: everybody else.
    private let places: [LanguageTag?: [Int]]

    /// What is known of an audience that was not looked at.
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
