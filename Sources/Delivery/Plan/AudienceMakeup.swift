package import CampaignCore

/// Counts of people whose language no text has, and of people without a value.
///
/// Takes little memory for any audience.
package struct AudienceMakeup: Sendable {
    /// No real audience has as many languages.
    private static let mostTags = 1_000

    /// People by a language that no text has.
    package private(set) var strangers: [LanguageTag: Int] = [:]
    /// People by a variable of their texts.
    package private(set) var withoutValue: [String: Int] = [:]
    /// The first person without a value for some variable.
    package private(set) var firstWithout: AudienceMember?

    /// - Parameter isStranger: whether there are languages, but none for this person.
    mutating func note(_ member: AudienceMember, without unset: [String], isStranger: Bool) {
        for variable in unset { withoutValue[variable, default: 0] += 1 }
        if !unset.isEmpty { firstWithout = firstWithout ?? member }
        guard isStranger, let tag = member.language,
            strangers[tag] != nil || strangers.count < Self.mostTags
        else { return }
        strangers[tag, default: 0] += 1
    }
}
