import CampaignCore
import Delivery
import ProcessControl

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
    /// A signal ended it, maybe before all was sent.
    case signalled(SignalWatch.Ending)
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

    /// Whether a signal ended it, after which nothing else begins.
    var isInterrupted: Bool { [.interrupted, .terminated].contains(ExitStatus(self)) }

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

extension ExitStatus {
    init(_ end: CampaignEnd) {
        self =
            switch end {
            case .done: .done
            case .troubled: .troubled
            case .stopped: .stopped
            case .unfinished: .tryAgain
            case .interrupted: .interrupted
            case .signalled(let signal): ExitStatus(signal)
            case .failed(let error): Refused(for: error).status
            case .paused(let cause):
                switch cause {
                case .cancelled: .interrupted
                case .credentials: .credentials
                case .hubNotFound, .notAHub: .configuration
                case .unreachable, .throttled, .unanswering, .tooManyFailures, .quota: .tryAgain
                }
            }
    }
}

extension Refused {
    static func interrupted(_ campaign: String) -> Refused {
        Refused(
            "campaign \(campaign): interrupted before anything of it was sent",
            status: .interrupted)
    }

    /// - Parameter stop: the command that stops the campaign.
    static func locked(_ campaign: String, stop: String) -> Refused {
        Refused(
            """
            Campaign \(campaign): another process works on it; wait until that has ended, or stop it with: \
            \(stop)
            """, status: .tryAgain)
    }
}
