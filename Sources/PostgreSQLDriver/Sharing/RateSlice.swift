/// One process's share of a run's rate.
///
/// `run_members.rate` is never less than the rate that its process uses, and the sum of a run's
/// columns is never more than its rate. A process with a lower grant keeps the old rate until its
/// pages are sent; when it reports the lower rate, its column decreases and others are granted the
/// difference. A dead process's share is free once its row is removed.
struct RateSlice: Hashable, Sendable {
    /// The rate that the process may use from now on, in requests per second.
    let granted: Double
    /// The new value of the process's column.
    let column: Double

    /// Grants are reduced by this fraction, so that rounding never makes the sum exceed the rate.
    private static let rounding = 1e-9
    /// The smallest grant, as a fraction of the rate; remainders due to rounding are smaller.
    private static let least = 1e-6

    /// Rates are in requests per second; nil if none was granted yet.
    ///
    /// `kept` is the rate that the process reports; `told` is the rate it was granted last, which
    /// may be newer. `others` include expired processes until they are taken over. `bound` is the
    /// limit of this process.
    init(
        of rate: Double, keeping kept: Double?, told: Double?, besides others: [Double?],
        atMost bound: Double = .infinity
    ) {
        let fair = rate / Double(others.count + 1)
        let free = others.reduce(rate) { $0 - ($1 ?? 0) }
        let most = min(fair, free) * (1 - Self.rounding)
        granted = most < rate * Self.least ? 0 : min(most, bound)
        column = max(kept ?? 0, told ?? 0, granted)
    }
}
