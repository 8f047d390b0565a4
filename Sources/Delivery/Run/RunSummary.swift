package import CampaignCore

/// What became of a run.
package struct RunSummary: Sendable {
    /// As the store holds it now.
    package let record: RunRecord
    package let outcomes: OutcomeCounts
    package let end: RunEnd
    /// Sentences that a person should read.
    package let warnings: [String]
    /// Of a run that was found finished: the top-level keys of its campaign file that are not as they were staged.
    package let changed: [String]

    package init(
        record: RunRecord, outcomes: OutcomeCounts, end: RunEnd, warnings: [String] = [],
        changed: [String] = []
    ) {
        self.record = record
        self.outcomes = outcomes
        self.end = end
        self.warnings = warnings
        self.changed = changed
    }
}
