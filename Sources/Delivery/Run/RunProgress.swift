package import CampaignCore
package import FoundationEssentials

/// Where a run stands while it is worked on.
package struct RunProgress: Hashable, Sendable {
    package let run: RunID
    package let deliveries: Int
    /// To date, those of earlier processes included; what has none counts as `not_attempted`.
    package let outcomes: OutcomeCounts
    /// Hub requests to date, those of earlier processes included.
    package let requests: Int
    /// Requests a second over the last seconds.
    package let rate: Double
    /// When the run was first started.
    package let started: Date
    /// Why it stands still; nil when it does not.
    package let trouble: HubTrouble?

    package init(
        run: RunID, deliveries: Int, outcomes: OutcomeCounts, requests: Int, rate: Double,
        started: Date, trouble: HubTrouble? = nil
    ) {
        self.run = run
        self.deliveries = deliveries
        self.outcomes = outcomes
        self.requests = requests
        self.rate = rate
        self.started = started
        self.trouble = trouble
    }
}
