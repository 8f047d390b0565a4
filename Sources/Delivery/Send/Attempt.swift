import CampaignCore

/// One push on its way to an outcome, with what this process has tried.
struct Attempt: Hashable, Sendable {
    var claim: DeliveryClaim
    /// When this process first sent it, on the run's timeline; nil before.
    var firstTry: Duration?
    /// When this process last sent it; nil before.
    var lastTry: Duration?
    /// Tries of this process that ended in a lost answer or without a connection: these count against `retry.attempts`.
    var failures = 0
    /// Retries of this process, throttled ones included: these lengthen the wait.
    var retries = 0

    init(_ claim: DeliveryClaim) {
        self.claim = claim
    }
}
