package import CampaignCore

/// Counts the people whose language has no text, and the people without a value.
///
/// The memory used is small, however large the audience is.
package struct AudienceMakeup: Sendable {
    /// This is more languages than any real audience has.
    private static let mostTags = 1_000

    /// The number of people for each language without a text.
    package private(set) var strangers: [LanguageTag: Int] = [:]
    /// The number of people without a value for each variable of their texts.
    package private(set) var withoutValue: [String: Int] = [:]
    /// The first person without a value for any variable.
    package private(set) var firstWithout: AudienceMember?

    /// - Parameter isStranger: whether the campaign has texts by language, but none in this
    ///   person's language.
    mutating func note(_ member: AudienceMember, without unset: [String], isStranger: Bool) {
        for variable in unset { withoutValue[variable, default: 0] += 1 }
        if !unset.isEmpty { firstWithout = firstWithout ?? member }
        guard isStranger, let tag = member.language,
            strangers[tag] != nil || strangers.count < Self.mostTags
        else { return }
        strangers[tag, default: 0] += 1
    }
}
