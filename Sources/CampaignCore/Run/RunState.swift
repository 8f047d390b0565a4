/// Where a run stands (contract, section 7).
package enum RunState: String, CaseIterable, Hashable, Sendable, Codable {
    /// The audience is being written down; nothing was sent. Staged again after a crash.
    case staging
    case running
    /// Ended by a crash, a signal or the hub; the next `run` continues.
    case paused
    /// Ended by `hubsend stop`; only `resume` continues.
    case stopped
    case finished
}
