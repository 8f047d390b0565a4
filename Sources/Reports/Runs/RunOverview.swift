package import CampaignCore

/// A run and what became of its deliveries, to be shown.
package struct RunOverview: Hashable, Sendable {
    package var run: RunRecord
    package var outcomes: OutcomeCounts
    /// People whose push was accepted, who fetched and who read; nil where nobody counted them.
    package var reach: Reach?
    /// Why deliveries were refused, failed or have no answer, the most frequent first; need not be all.
    package var reasons: [TroubleReason]
    /// The CSV report's path; nil when none was written.
    package var report: String?

    package init(
        run: RunRecord, outcomes: OutcomeCounts, reach: Reach? = nil,
        reasons: [TroubleReason] = [], report: String? = nil
    ) {
        self.run = run
        self.outcomes = outcomes
        self.reach = reach
        self.reasons = reasons
        self.report = report
    }

    /// Deliveries that have an outcome.
    var ended: Int { run.deliveries - outcomes[.notAttempted] }
}
