package import CampaignCore

/// What became of a run.
package struct RunSummary: Sendable {
    /// As the store holds it now.
    package let record: RunRecord
    package let outcomes: OutcomeCounts
    package let end: RunEnd
    /// Sentences that a person should read.
    package let warnings: [String]

    package init(
        record: RunRecord, outcomes: OutcomeCounts, end: RunEnd, warnings: [String] = []
    ) {
        self.record = record
        self.outcomes = outcomes
        self.end = end
        self.warnings = warnings
    }
}
