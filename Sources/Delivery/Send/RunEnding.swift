import CampaignCore

/// Why the engine takes no new work.
enum RunEnding: Hashable, Sendable {
    /// There is none.
    case complete
    /// The run's time is up; what is left is skipped, for this reason.
    case late(detail: String)
    case stopped(StopMode)
    case paused(Pause)
    /// The ledger failed; nothing more can be promised.
    case failed
}
