package import CampaignCore

/// Where a delivery stands, as the number that is stored; those under 2 are open.
package enum DeliveryState: Int {
    /// Claimed again after it had waited.
    case sending = 0
    case waiting = 1
    case accepted = 2
    case rejected = 3
    case failed = 4
    case unknown = 5
    case skipped = 6
    case notAttempted = 7

    /// Of what was handed to the hub, or may have been; what is claimed and has no row is ``sending``.
    package static let handed: [DeliveryState] = [.sending, .waiting, .accepted, .unknown]

    package init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .accepted: .accepted
            case .rejected: .rejected
            case .failed: .failed
            case .unknown: .unknown
            case .skipped: .skipped
            case .notAttempted: .notAttempted
            }
    }

    package init(_ state: DeliveryRecord.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .ended(let outcome): DeliveryState(outcome)
            }
    }

    /// What a report shows.
    package var outcome: Outcome {
        switch self {
        case .accepted: .accepted
        case .rejected: .rejected
        case .failed: .failed
        case .unknown: .unknown
        case .skipped: .skipped
        case .sending, .waiting, .notAttempted: .notAttempted
        }
    }
}
