import CampaignCore
package import Delivery

/// How the work on one campaign of a call ended.
package enum CampaignEnd: Sendable {
    /// All pushes were accepted, or there was nothing to do now.
    case done
    /// The run is finished, but some pushes were not accepted.
    case troubled
    /// The run was stopped, or ended for good, by `hubsend stop`.
    case stopped
    /// The run paused, and the same command continues it.
    case paused(PauseCause)
    /// An earlier run is not finished, so that nothing was sent.
    case unfinished
    /// The call was interrupted before it was this campaign's turn.
    case interrupted
    /// Something failed; the person was told what.
    case failed(any Error)

    /// The end of a campaign, by what a runner says of its run.
    init(_ summary: RunSummary) {
        self =
            switch summary.result {
            case .alreadyFinished where summary.wasEnded: .stopped
            case .finished, .alreadyFinished: summary.outcomes.troubled > 0 ? .troubled : .done
            // Nothing went wrong so far; pushes that were not accepted are told of when the run is finished.
            case .waiting: .done
            case .stopped, .ended: .stopped
            case .paused(let cause, _), .left(let cause, _, _): .paused(cause)
            }
    }

    /// Whether all is well.
    var isDone: Bool {
        if case .done = self { true } else { false }
    }

    /// Whether `hubsend stop` ended the run.
    var isStopped: Bool {
        if case .stopped = self { true } else { false }
    }
}

extension RunSummary {
    /// Whether `hubsend stop` ended the run for good before all of it was sent.
    fileprivate var wasEnded: Bool {
        outcomes[.notAttempted] > 0 && record.state == .finished
            || record.revoked != nil && outcomes.revoked > 0
    }
}
