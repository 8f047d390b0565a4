/// How many deliveries ended in each outcome.
package struct OutcomeCounts: Hashable, Sendable {
    /// Without zeros, so that equal counts are equal values.
    private var counts: [Outcome: Int]
    /// How many of the skipped were skipped as ``SkipReason/tooLate``.
    package var tooLate = 0
    /// How many of the skipped were skipped as ``SkipReason/expired``.
    package var expired = 0
    /// How many of the skipped were skipped as ``SkipReason/revoked``.
    package var revoked = 0

    package init(_ counts: [Outcome: Int] = [:]) {
        self.counts = counts.filter { $0.value != 0 }
    }

    package subscript(outcome: Outcome) -> Int {
        get { counts[outcome] ?? 0 }
        set { counts[outcome] = newValue == 0 ? nil : newValue }
    }

    /// The sum over all outcomes, `not_attempted` included.
    package var total: Int { counts.values.reduce(0, +) }

    /// Deliveries that were skipped because time was up, and not on purpose.
    package var late: Int { tooLate + expired }

    /// The outcomes of people who were to be reached and were not, or perhaps not, in the order in which `--only` names them.
    package var left: [Outcome] {
        [.failed, .rejected, .unknown, .skipped, .notAttempted].filter {
            $0 == .skipped ? late + revoked > 0 : self[$0] > 0
        }
    }

    /// Deliveries that ended otherwise than the campaign wanted (contract, section 9).
    package var troubled: Int { self[.rejected] + self[.failed] + self[.unknown] + late }
}
