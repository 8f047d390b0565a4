import CampaignCore

/// What a push's result comes to.
struct Verdict: Hashable, Sendable {
    /// What is written down about its deliveries, but for what ``state(of:)`` says.
    var state: DeliveryRecord.State
    /// The push, with this try counted.
    var attempt: Attempt
    /// When it goes out again, on the run's timeline; nil: not in this process.
    var due: Duration?
    /// Why the run has to pause over it.
    var pause: Pause?

    /// What is written down about one of the push's deliveries: what may have gone out before has not simply failed.
    func state(of claim: DeliveryClaim) -> DeliveryRecord.State {
        guard state == .ended(.failed), attempt.isUncertain || claim.isUncertain else {
            return state
        }
        return .ended(.unknown)
    }
}
