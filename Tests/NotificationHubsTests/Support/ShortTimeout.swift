/// Timeouts that are short, but not too short for the machine.
///
/// They cover connecting and sending too; on too busy a machine, they prove nothing about the hub.
enum ShortTimeout {
    struct NeverReached: Error {}

    /// Tries with longer and longer timeouts until the request gets to the hub (`attempt` returns
    /// nil before).
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
