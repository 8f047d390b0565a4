import CampaignCore

/// Why a request did not come in: what its client learns, and what the audit says.
struct EntranceRefusal: Error {
    let failure: BackendFailure
    /// A few words of our own; nil: the failure says it all.
    let reason: String?
    /// Who the request said it was; nil: it did not say, or no name that anybody could have.
    let claimed: Username?

    init(_ failure: BackendFailure, _ reason: String? = nil, claimed: Username? = nil) {
        self.failure = failure
        self.reason = reason
        self.claimed = claimed
    }
}
