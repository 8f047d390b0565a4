/// How many deliveries ended in each outcome.
package struct OutcomeCounts: Hashable, Sendable {
    private var counts: [Outcome: Int]

    package init(_ counts: [Outcome: Int] = [:]) {
        self.counts = counts
    }

    package subscript(outcome: Outcome) -> Int {
        get { counts[outcome] ?? 0 }
        set { counts[outcome] = newValue }
    }

    /// The sum over all outcomes, `not_attempted` included.
    package var total: Int { counts.values.reduce(0, +) }

    /// Deliveries that ended otherwise than the campaign wanted.
    package var troubled: Int { self[.rejected] + self[.failed] + self[.unknown] }
}
