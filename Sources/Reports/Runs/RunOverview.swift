package import CampaignCore

/// A run and what became of its deliveries, to be shown.
package struct RunOverview: Hashable, Sendable {
    package var run: RunRecord
    package var outcomes: OutcomeCounts
    /// People reached, fetched and read; nil where nobody counted them.
    package var reach: Reach?
    /// The CSV report's path; nil when none was written.
    package var report: String?

    package init(
        run: RunRecord, outcomes: OutcomeCounts, reach: Reach? = nil, report: String? = nil
    ) {
        self.run = run
        self.outcomes = outcomes
        self.reach = reach
        self.report = report
    }

    /// Deliveries that have an outcome.
    var ended: Int { run.deliveries - outcomes[.notAttempted] }
}
