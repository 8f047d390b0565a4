import Synchronization

/// What one process has of a run's rate.
///
/// The column `run_members.rate` is never less than what its process keeps to, and all columns of a run together are never more than
/// its rate. Whoever is granted less goes on at the old pace until its pages are out, and says so; only when it tells that it
/// keeps to less does the column sink, and others are granted the rest. What a process that died had comes back with its row.
struct RateSlice: Hashable, Sendable {
    /// Requests a second that the process may make from now on.
    let granted: Double
    /// What stands in its column.
    let column: Double

    /// The part by which each is granted less than its exact share, so that all shares, rounded, are no more than the whole.
    private static let rounding = 1e-9
    /// The least part of the rate that is granted: what rounding leaves is not.
    private static let least = 1e-6

    /// - Parameters:
    ///   - rate: the run's, in requests a second.
    ///   - kept: what the process says that it keeps to; nil: nothing was granted yet.
    ///   - told: what it was granted last, which `kept` may be older than; nil: nothing.
    ///   - others: the columns of the others; nil: nothing was granted yet. Those whose lease has ended and whom nobody has taken
    ///     over are among them.
    ///   - bound: what the process gets at the most, since no more can be had now.
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

/// What a process was told last that it may make of requests a second.
final class ToldRate: Sendable {
    private let rate = Mutex<Double?>(nil)

    /// nil: it was told nothing yet.
    var value: Double? {
        get { rate.withLock(\.self) }
        set { rate.withLock { $0 = newValue } }
    }
}
