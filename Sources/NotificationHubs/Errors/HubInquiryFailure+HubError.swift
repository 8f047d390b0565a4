import CampaignCore

extension HubInquiryFailure {
    /// `rights` is a sentence that says which right is needed if the key or the rule is refused.
    init(_ error: HubError, rights: String) {
        let text = error.description
        self =
            switch error.disposition {
            case _ where error.cause == .cancelled: .cancelled
            case .stop(.credentials): .credentials("\(text) \(rights)")
            case .stop(.hubNotFound), .stop(.notAHub): .misconfigured(text)
            case .retry, .unknown, .stop(.quota): .passing(text)
            case .rejected, .accepted: .refused(text)
            }
    }
}
