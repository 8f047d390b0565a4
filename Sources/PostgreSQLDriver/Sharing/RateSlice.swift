/// One process's share of a run's rate.
///
/// `run_members.rate` is never less than the rate that its process keeps to, and the sum of a run's
/// columns is never more than its rate. A process with a lower grant keeps the old rate until its
/// pages are sent; its column decreases when it reports the lower rate, and others are granted the
/// difference. A dead process's share is free once its row is removed.
struct RateSlice: Hashable, Sendable {
    /// Requests a second that the process may make from now on.
    let granted: Double
    /// The new value of its column.
    let column: Double

    /// Grants are smaller by this part, so that rounding never exceeds the whole.
    private static let rounding = 1e-9
    /// The smallest grant; what rounding leaves over is smaller.
    private static let least = 1e-6

    /// Rates are in requests a second; nil: none was granted yet.
    ///
    /// `kept` is what the process reports, `told` what it was granted last, which may be newer.
    /// `others` include expired processes until they are taken over. `bound` is the limit of this
    /// process.
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
