package import CampaignCore

package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// Why it must not be sent; empty if it may.
    package let faults: [AudienceFault]
    /// In the campaign's order.
    package let platforms: [PlatformPlan]
    /// Requests a second; nil: unlimited.
    package let rate: Double?
    /// The most recipients of one request.
    package var recipientsPerPush = 1
    /// People per language, in the order of the texts; empty if no text names a language.
    ///
    /// Includes languages that nobody gets. The texts for everybody else come last, with nil.
    package var languages: [LanguageCount] = []
    /// Does not forbid sending: the first values count.
    package var valueConflicts = ValueConflicts()
    /// People excluded in vain, by the exclusion's number.
    package var unmatchedExclusions: [Int: Int] = [:]
    package var unusualRows: [UnusualRows] = []
    /// Faulty rows of these files that were left out.
    package var skippedRows = 0
    /// Not counted if all get the same text in one language.
    package var makeup = AudienceMakeup()
    /// Earliest first; empty if everybody's turn is at once.
    package var waves: [PlannedWave] = []

    /// One per recipient and platform with a push.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }
    /// Without retries.
    package var requests: Int { platforms.reduce(0) { $0 + requests(for: $1.recipients) } }
    /// At the rate; nil if unlimited.
    package var duration: Duration? { rate.map { .seconds(Double(requests) / $0) } }

    /// Only people of one language share a request; the languages of a rest are not known.
    private func requests(for recipients: Int) -> Int {
        let groups = languages.map(\.recipients).filter { $0 > 0 }
        let sizes = recipients == counts.final && groups.count > 1 ? groups : [recipients]
        return sizes.reduce(0) { $0 + ($1 + recipientsPerPush - 1) / recipientsPerPush }
    }
}

package struct LanguageCount: Hashable, Sendable {
    /// nil: everybody whose language has no text of its own.
    package let language: LanguageTag?
    package let recipients: Int
    /// The first of them by name.
    package let first: AudienceMember?
}

package struct PlatformPlan: Sendable {
    package let platform: Platform
    package let recipients: Int
    /// 0 if no body could be made.
    package let worstBytes: Int
    /// In bytes.
    package let limit: Int
}

package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    package let people: any AudiencePages
    /// nil if it is not the rest of a run.
    package var rest: RestOfRun?
    /// nil if everybody's turn is at once.
    var turns: AudienceTurns?
}
