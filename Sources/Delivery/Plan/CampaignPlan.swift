package import CampaignCore

/// What a campaign would do if it were run now.
package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// Why it must not be sent; empty when it may.
    package let faults: [AudienceFault]
    /// Who is named again with other values; the first count, so that it may be sent.
    package let valueConflicts: ValueConflicts
    /// In the campaign's order.
    package let platforms: [PlatformPlan]
    /// Requests a second; nil: unlimited.
    package let rate: Double?
    /// Recipients that share one request at the most.
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
