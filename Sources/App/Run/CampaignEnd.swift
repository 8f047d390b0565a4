import CampaignCore
import Delivery
import ProcessControl

/// How the work on one campaign ended.
enum CampaignEnd: Sendable {
    /// All pushes were accepted, or there was nothing to do.
    case done
    case troubled
    case stopped
    /// The run is paused, and the same command continues it.
    case paused(PauseCause)
    /// Nothing was sent, because an earlier run is unfinished.
    case unfinished
    /// The command was interrupted before it reached this campaign.
    case interrupted
    /// A signal ended the run, perhaps before everything was sent.
    case signalled(SignalWatch.Ending)
    /// Something failed, and the error was printed.
    case failed(any Error)

    init(_ summary: RunSummary) {
        self =
            switch summary.result {
            case .alreadyFinished where summary.wasEnded: .stopped
            case .finished, .alreadyFinished: summary.outcomes.troubled > 0 ? .troubled : .done
            // Rejected pushes affect the exit code only after the run is finished.
            case .waiting: .done
            case .stopped, .ended: .stopped
            case .paused(let cause, _), .left(let cause, _, _): .paused(cause)
            }
    }

    var isDone: Bool {
        if case .done = self { true } else { false }
    }

    /// Whether a signal ended it, so that no other campaign may start.
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
            "campaign \(campaign): interrupted before anything was sent",
            status: .interrupted)
    }

    /// - Parameter stop: the command that stops the campaign.
    static func locked(_ campaign: String, stop: String) -> Refused {
        Refused(
            """
            Campaign \(campaign): another process is working on it. Wait until it ends, or stop the campaign: \
            \(stop)
            """, status: .tryAgain)
    }
}
