/// Timeouts that are short, but not too short for the machine.
///
/// A request's timeout covers connecting and sending too. On a machine too busy to do these in time, nothing is shown
/// about a hub that does not answer.
enum ShortTimeout {
    struct NeverReached: Error {}

    /// Does something with a timeout, and again with a longer one if its request did not get to the hub in time.
    ///
    /// - Parameters:
    ///   - first: the timeout to begin with.
    ///   - attempt: does it, with a hub of its own; nil: the request did not get there.
    /// - Returns: what the first attempt returned whose request got to the hub.
    /// - Throws: what `attempt` throws; ``NeverReached`` when even minutes do not suffice.
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
