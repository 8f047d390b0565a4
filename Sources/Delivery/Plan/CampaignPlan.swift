package import CampaignCore

/// What a campaign would do if it were run now.
package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// Why it must not be sent; empty when it may.
    package let faults: [AudienceFault]
    /// People who are named more than once, with different values; the first values count, so the campaign may be sent.
    package let valueConflicts: ValueConflicts
    /// How many people each file excludes in vain, since the audience has none of them; by the files' numbers.
    package let unmatchedExclusions: [Int: Int]
    /// What looked like a mistake in the files of its people.
    package let unusualRows: [UnusualRows]
    /// In the campaign's order.
    package let platforms: [PlatformPlan]
    /// Requests a second; nil: unlimited.
    package let rate: Double?
    /// Recipients that share one request at most.
    package let recipientsPerPush: Int
    /// How many people get each language of the campaign; empty when no text names a language.
    ///
    /// The languages stand in the order of the texts, even those that nobody gets. The texts for everybody else come last, with nil.
    package let languages: [LanguageCount]
    /// Counts of its people; they are not counted when all get the same text in one language.
    package let makeup: AudienceMakeup
    /// Whose turn begins when, the earliest first; empty when everybody's turn is at once.
    package let waves: [PlannedWave]

    package init(
        counts: AudienceCounts, faults: [AudienceFault], platforms: [PlatformPlan], rate: Double?,
        recipientsPerPush: Int = 1, languages: [LanguageCount] = [],
        valueConflicts: ValueConflicts = ValueConflicts(),
        unmatchedExclusions: [Int: Int] = [:], unusualRows: [UnusualRows] = [],
        makeup: AudienceMakeup = AudienceMakeup(), waves: [PlannedWave] = []
    ) {
        self.counts = counts
        self.faults = faults
        self.platforms = platforms
        self.rate = rate
        self.recipientsPerPush = recipientsPerPush
        self.languages = languages
        self.valueConflicts = valueConflicts
        self.unmatchedExclusions = unmatchedExclusions
        self.unusualRows = unusualRows
        self.makeup = makeup
        self.waves = waves
    }

    /// One for each recipient on each platform where they get a push.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }
    /// Hub requests, without retries.
    package var requests: Int { platforms.reduce(0) { $0 + requests(for: $1.recipients) } }
    /// How long the requests take at the rate; nil when that is unlimited.
    package var duration: Duration? { rate.map { .seconds(Double(requests) / $0) } }

    /// How many requests some recipients take.
    ///
    /// Only people of one language share a request. How many people of a rest have which language is not known.
    private func requests(for recipients: Int) -> Int {
        let groups = languages.map(\.recipients).filter { $0 > 0 }
        let sizes = recipients == counts.final && groups.count > 1 ? groups : [recipients]
        return sizes.reduce(0) { $0 + ($1 + recipientsPerPush - 1) / recipientsPerPush }
    }
}

/// How many people get a campaign in a language.
package struct LanguageCount: Hashable, Sendable {
    /// nil: the texts for everybody whose language has none of its own.
    package let language: LanguageTag?
    package let recipients: Int
    /// The first of them, by name; nil when there is nobody.
    package let first: AudienceMember?

    package init(language: LanguageTag?, recipients: Int, first: AudienceMember?) {
        self.language = language
        self.recipients = recipients
        self.first = first
    }
}

/// What a campaign would send on one platform.
package struct PlatformPlan: Sendable {
    package let platform: Platform
    /// How many people get a push on it.
    package let recipients: Int
    /// The largest body over the audience; 0 when no body could be made.
    package let worstBytes: Int
    /// The most bytes the platform takes.
    package let limit: Int
    /// The first recipient's push, with ``CampaignCore/NotificationID/placeholder`` as its id; nil when there is nobody, or a value
    /// of theirs is missing.
    package let sample: PushPage?
    /// The push of the first recipient of each language that anybody gets; empty when no text names a language.
    package let samples: [LanguageSample]
}

/// The push of the first person who gets a language.
package struct LanguageSample: Sendable {
    /// nil: the texts for everybody whose language has none of its own.
    package let language: LanguageTag?
    package let page: PushPage
}

/// An audience that was planned and is ready to be staged.
package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    /// Gives the plan's recipients.
    package let people: any AudiencePages
    /// The earlier run whose rest it is; nil when it is not the rest of a run.
    package let rest: RestOfRun?
    /// Whose turn is when; nil when everybody's turn is at once.
    let turns: AudienceTurns?

    package init(
        plan: CampaignPlan, people: any AudiencePages, rest: RestOfRun? = nil,
        turns: AudienceTurns? = nil
    ) {
        self.plan = plan
        self.people = people
        self.rest = rest
        self.turns = turns
    }
}
