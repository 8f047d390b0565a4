/// Exponential backoff with equal jitter.
///
/// For the n-th retry, d = min(cap, base × 2ⁿ⁻¹). The delay is random between d/2 and d, so that
/// pushes that failed together are spread out. The delay is never shorter than the hub's
/// `Retry-After`.
struct Backoff: Sendable {
    var base: Duration = .seconds(1)
    var cap: Duration = .seconds(60)

    /// The delay before a retry; retries are numbered from 1.
    ///
    /// `least` is the hub's `Retry-After`.
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
