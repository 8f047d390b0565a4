import CampaignCore

extension HubInquiryFailure {
    /// What a hub's answer, or its absence, means for who asks.
    ///
    /// - Parameters:
    ///   - error: the answer.
    ///   - rights: what one needs to be answered, as a sentence, for whom key or rule is refused.
    init(_ error: HubError, rights: String) {
        let text = error.description
        self =
            switch error.disposition {
            case _ where error.cause == .cancelled: .cancelled
            case .stop(.credentials): .credentials("\(text) \(rights)")
            case .stop(.hubNotFound), .stop(.notAHub): .misconfigured(text)
            case .retry, .unknown: .passing(text)
            case .rejected, .accepted: .refused(text)
            }
    }
}
