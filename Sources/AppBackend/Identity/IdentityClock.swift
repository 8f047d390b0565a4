import FoundationEssentials

/// The time that sign-ins go by, and how to wait.
struct IdentityClock: Sendable {
    /// The time that spans are measured with.
    var instant: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The time of day, which tokens and certificates speak of.
    var date: @Sendable () -> Date = { Date() }
    /// Waits; throws when its task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
