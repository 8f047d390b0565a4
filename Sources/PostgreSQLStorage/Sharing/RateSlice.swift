import Synchronization

/// One process's share of a run's rate.
///
/// The column `run_members.rate` is never less than the rate that its process keeps to, and all columns of a run together are never
/// more than the run's rate. A process that is granted less goes on at the old rate until its pages are out. The column sinks only
/// when the process tells that it keeps to the lower rate; then others are granted the rest. The share of a process that died is
/// free once its row is removed.
struct RateSlice: Hashable, Sendable {
    /// Requests a second that the process may make from now on.
    let granted: Double
    /// The rate that its column is to hold.
    let column: Double

    /// Each process is granted less than its exact share by this part, so that all shares, rounded, are no more than the whole.
    private static let rounding = 1e-9
    /// The least part of the rate that is granted; what rounding leaves over is smaller.
    private static let least = 1e-6

    /// - Parameters:
    ///   - rate: the run's rate, in requests a second.
    ///   - kept: the rate that the process says it keeps to; nil: it was granted no rate yet.
    ///   - told: the rate that it was granted last, which may be newer than `kept`; nil: it was granted no rate yet.
    ///   - others: the columns of the other processes, even of those whose lease has ended, until somebody takes them over; nil: that
    ///     process was granted no rate yet.
    ///   - bound: the most that the process can get now.
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

/// The rate that a process was told last, in requests a second.
final class ToldRate: Sendable {
    private let rate = Mutex<Double?>(nil)

    /// nil: it was told no rate yet.
    var value: Double? {
        get { rate.withLock(\.self) }
        set { rate.withLock { $0 = newValue } }
    }
}
