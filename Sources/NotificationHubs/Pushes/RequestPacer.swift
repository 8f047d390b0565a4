/// Hands out the instants at which requests may start.
///
/// It is pure; its owner waits. One pacer for all pages of a sender: pages that overlap then keep
/// to the rate together.
struct RequestPacer: Sendable {
    private var next: ContinuousClock.Instant?

    /// Takes the next start.
    ///
    /// - Parameters:
    ///   - interval: the least time to the start after this one.
    ///   - now: the present.
    /// - Returns: when to start; never before `now`. Time that was not used is not saved up for a
    ///   burst.
    mutating func takeStart(
        interval: Duration, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        let start = max(next ?? now, now)
        next = start + interval
        return start
    }
}
