package import CampaignCore

/// What a campaign would do if it were run now.
package struct CampaignPlan: Sendable {
    package let counts: AudienceCounts
    /// Why it must not be sent; empty when it may.
    package let faults: [AudienceFault]
    /// In the campaign's order.
    package let platforms: [PlatformPlan]
    /// Requests a second; nil: unlimited.
    package let rate: Double?

    package init(
        counts: AudienceCounts, faults: [AudienceFault], platforms: [PlatformPlan], rate: Double?
    ) {
        self.counts = counts
        self.faults = faults
        self.platforms = platforms
        self.rate = rate
    }

    /// One for each recipient on each platform.
    package var deliveries: Int { counts.final * platforms.count }
    /// Hub requests, each delivery with one of its own and without retries.
    package var requests: Int { deliveries }
    /// How long the requests take at the rate; nil when that is unlimited.
    package var duration: Duration? { rate.map { .seconds(Double(requests) / $0) } }
}
