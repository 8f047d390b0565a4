import CampaignCore
import Delivery

/// How the work on one campaign of a call ended.
enum CampaignEnd: Sendable {
    /// All pushes were accepted, or there was nothing to do now.
    case done
    case troubled
    case stopped
    /// The run paused, and the same command continues it.
    case paused(PauseCause)
    /// An earlier run is unfinished, so nothing was sent.
    case unfinished
    /// The call was interrupted before it was this campaign's turn.
    case interrupted
    /// Something failed; the person was told what.
    case failed(any Error)

    init(_ summary: RunSummary) {
        self =
            switch summary.result {
            case .alreadyFinished where summary.wasEnded: .stopped
            case .finished, .alreadyFinished: summary.outcomes.troubled > 0 ? .troubled : .done
            // Nothing is wrong so far; rejected pushes are reported when the run is finished.
            case .waiting: .done
            case .stopped, .ended: .stopped
            case .paused(let cause, _), .left(let cause, _, _): .paused(cause)
            }
    }

    var isDone: Bool {
        if case .done = self { true } else { false }
    }

    var isStopped: Bool {
        if case .stopped = self { true } else { false }
    }
}

extension RunSummary {
    fileprivate var wasEnded: Bool {
        outcomes[.notAttempted] > 0 && record.state == .finished
            || record.revoked != nil && outcomes.revoked > 0
    }
}
