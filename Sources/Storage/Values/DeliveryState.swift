package import CampaignCore

/// The state of a delivery, as stored; those under 2 are open.
package enum DeliveryState: Int {
    /// Claimed again after a wait.
    case sending = 0
    case waiting = 1
    case accepted = 2
    case rejected = 3
    case failed = 4
    case unknown = 5
    case skipped = 6
    case notAttempted = 7

    /// Handed to the hub, or perhaps; a claimed delivery without a row is ``sending``.
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
