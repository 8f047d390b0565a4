import CampaignCore

/// One push on its way to an outcome, with what this process has tried.
struct Attempt: Hashable, Sendable {
    var claim: DeliveryClaim
    /// When this process first sent it, on the run's timeline; nil before.
    var firstTry: Duration?
    /// Tries of this process that ended in a lost answer: these count against `retry.attempts`.
    var failures = 0
    /// Tries in a row for which there was no connection.
    var refusals = 0
    /// When the first of these came back.
    var refusedSince: Duration?
    /// Retries of this process, throttled ones included: these lengthen the wait.
    var retries = 0

    init(_ claim: DeliveryClaim) {
        self.claim = claim
    }
}
