/// What goes wrong with one request.
struct FaultDecision: Sendable, Hashable {
    /// How much later the answer comes: all rules on latency together.
    var delay = Duration.zero
    /// How slowly the answer comes, in bytes a second; the slowest rule counts.
    var bytesPerSecond: Int?
    /// What happens instead of the answer; the first rule counts.
    var fault: LocalHubFault?

    /// Whether nothing goes wrong.
    var isNothing: Bool { delay == .zero && bytesPerSecond == nil && fault == nil }
}
