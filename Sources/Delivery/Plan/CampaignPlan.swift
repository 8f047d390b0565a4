package import CampaignCore

package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// The problems that prevent sending; empty if there are none.
    package let problems: [AudienceProblem]
    /// The plans for the platforms, in the campaign's order.
    package let platforms: [PlatformPlan]
    /// The rate in requests per second; nil means unlimited.
    package let rate: Double?
    /// The maximum number of recipients of one request.
    package var recipientsPerPush = 1
    /// People per language, in the order of the texts; empty if no text names a language.
    ///
    /// Languages that nobody gets are included. The default texts come last, with a nil language.
    package var languages: [LanguageCount] = []
    /// Conflicts do not prevent sending; the first values are used.
    package var valueConflicts = ValueConflicts()
    /// The number of excluded people who are not in the audience, by exclusion.
    package var unmatchedExclusions: [Int: Int] = [:]
    package var unusualRows: [UnusualRows] = []
    /// The number of rows that were skipped because of errors.
    package var skippedRows = 0
    /// Missing languages and values; empty if everybody gets the same text in one language.
    package var makeup = AudienceMakeup()
    /// The waves, earliest first; empty if everybody is sent to at once.
    package var waves: [PlannedWave] = []

    /// The number of pushes, one per recipient and platform.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }
    /// Retries are not included.
    package var requests: Int { platforms.reduce(0) { $0 + requests(for: $1.recipients) } }
    /// How long sending takes at the campaign's rate; nil if the rate is unlimited.
    package var duration: Duration? { rate.map { .seconds(Double(requests) / $0) } }

    /// Only people with the same language share a request; the languages of a follow-up run are not
    /// known.
    private func requests(for recipients: Int) -> Int {
        let groups = languages.map(\.recipients).filter { $0 > 0 }
        let sizes = recipients == counts.final && groups.count > 1 ? groups : [recipients]
        return sizes.reduce(0) { $0 + ($1 + recipientsPerPush - 1) / recipientsPerPush }
    }
}

package struct LanguageCount: Hashable, Sendable {
    /// nil stands for everybody whose language has no texts.
    package let language: LanguageTag?
    package let recipients: Int
    /// The first of these people by name.
    package let first: AudienceMember?
}

package struct PlatformPlan: Sendable {
    package let platform: Platform
    package let recipients: Int
    /// The size of the largest body; 0 if no body could be rendered.
    package let worstBytes: Int
    /// The size limit in bytes.
    package let limit: Int
}

package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    package let people: any AudiencePages
    /// The people of a follow-up run or fallback; nil for other runs.
    package var unreached: UnreachedPeople?
    /// The send windows; nil if everybody is sent to at once.
    var windows: AudienceWindows?
}
