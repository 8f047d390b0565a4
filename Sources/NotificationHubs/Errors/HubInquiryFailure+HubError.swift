import CampaignCore

extension HubInquiryFailure {
    /// `rights` says, as a sentence, what is needed if key or rule is refused.
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
