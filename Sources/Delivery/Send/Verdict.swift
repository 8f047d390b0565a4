import CampaignCore

/// What a push's result comes to.
struct Verdict: Hashable, Sendable {
    /// What is written down.
    var state: DeliveryRecord.State
    /// The push, with this try counted.
    var attempt: Attempt
    /// When it goes out again, on the run's timeline; nil: not in this process.
    var due: Duration?
    /// Why the run has to pause over it.
    var pause: Pause?
}
