/// How long a push waits before its next try: exponential backoff with equal jitter.
///
/// For the n-th retry, d = min(cap, base × 2ⁿ⁻¹), and the wait is drawn evenly from d/2 to d, so that pushes that failed
/// together do not come back together. It is never shorter than what the hub asked for.
struct Backoff: Sendable {
    var base: Duration = .seconds(1)
    var cap: Duration = .seconds(60)

    /// Draws a wait.
    ///
    /// - Parameters:
    ///   - retry: which retry it is, from 1.
    ///   - least: what the hub asked for (`Retry-After`); nil: nothing.
    ///   - generator: where the jitter comes from.
    /// - Returns: the wait from now on.
    func delay(
        beforeRetry retry: Int, atLeast least: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        var ceiling = base
        for _ in 1..<max(1, retry) where ceiling < cap { ceiling *= 2 }
        let wait = min(ceiling, cap) * Double.random(in: 0.5...1, using: &generator)
        return max(wait, least ?? .zero)
    }
}
