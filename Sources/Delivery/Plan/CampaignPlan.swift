package import CampaignCore

/// What a campaign would do if it were run now.
package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// Why it must not be sent; empty when it may.
    package let faults: [AudienceFault]
    /// Who is named again with other values; the first ones count, so that it may be sent.
    package let valueConflicts: ValueConflicts
    /// In the campaign's order.
    package let platforms: [PlatformPlan]
    /// Requests a second; nil: unlimited.
    package let rate: Double?
    /// Recipients that share one request at most.
    package let recipientsPerPush: Int

    package init(
        counts: AudienceCounts, faults: [AudienceFault], platforms: [PlatformPlan], rate: Double?,
        recipientsPerPush: Int = 1, valueConflicts: ValueConflicts = ValueConflicts()
    ) {
        self.counts = counts
        self.faults = faults
        self.platforms = platforms
        self.rate = rate
        self.recipientsPerPush = recipientsPerPush
        self.valueConflicts = valueConflicts
    }

    /// One for each recipient on each platform where they get a push.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }
    /// Hub requests, without retries.
    package var requests: Int {
        platforms.reduce(0) { $0 + ($1.recipients + recipientsPerPush - 1) / recipientsPerPush }
    }
    /// How long the requests take at the rate; nil when that is unlimited.
    package var duration: Duration? { rate.map { .seconds(Double(requests) / $0) } }
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
}

/// An audience that was planned and is ready to be staged.
package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    /// Gives the plan's recipients.
    package let people: any AudiencePages
    /// The earlier run whose rest it is; nil when it is not the rest of a run.
    package let rest: RestOfRun?

    package init(plan: CampaignPlan, people: any AudiencePages, rest: RestOfRun? = nil) {
        self.plan = plan
        self.people = people
        self.rest = rest
    }
}
