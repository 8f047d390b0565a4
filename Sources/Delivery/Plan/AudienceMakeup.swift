package import CampaignCore

/// Counts of people whose language no text has, and of people without a value.
///
/// Counted in one pass, with little memory for any audience.
package struct AudienceMakeup: Sendable {
    /// No real audience has as many languages.
    private static let mostTags = 1_000

    /// People by a language that no text has.
    package private(set) var strangers: [LanguageTag: Int] = [:]
    package private(set) var withoutValue: [(variable: String, people: Int)] = []
    /// The first person without a value for some variable.
    package private(set) var firstWithout: AudienceMember?

    private var languages: LanguageChoice
    private let hasLanguages: Bool
    /// For each language, its variables' places in ``withoutValue``; nil: the default texts.
    private let places: [LanguageTag?: [Int]]

    /// For an audience that was not read.
    package init() {
        languages = LanguageChoice([])
        hasLanguages = false
        places = [:]
    }

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

    /// Call in name order.
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
