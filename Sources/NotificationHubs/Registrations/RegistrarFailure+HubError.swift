import CampaignCore

extension RegistrarFailure {
    /// What a hub's answer, or its absence, means for a device that registers.
    init(_ error: HubError) {
        switch error.disposition {
        case .rejected where error.status == 410: self = .gone
        case .rejected, .accepted: self = .refused(error.description)
        case .retry(let delay) where delay != nil || [429, 503].contains(error.status):
            self = .busy(after: delay)
        case .retry, .unknown: self = .unavailable(error.description)
        case .stop: self = .misconfigured(error.description)
        }
    }
}
