/// Timeouts that are short, but not too short for the machine.
///
/// They also cover connecting and sending, so on a busy machine they may end before the hub is
/// reached.
enum ShortTimeout {
    struct NeverReached: Error {}

    /// Tries with longer and longer timeouts until the request reaches the hub; `attempt` returns
    /// nil if the request did not reach it.
    static func reachingTheHub<Value>(
        from first: Duration, _ attempt: (Duration) async throws -> Value?
    ) async throws -> Value {
        var timeout = first
        while timeout < .seconds(300) {
            if let value = try await attempt(timeout) { return value }
            timeout *= 4
        }
        throw NeverReached()
    }
}
