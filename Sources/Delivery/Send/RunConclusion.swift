import CampaignCore
import FoundationEssentials

/// Why a run stops taking new work.
enum EndCause: Hashable, Sendable {
    /// Every delivery whose turn it was was worked on.
    case complete
    /// Every delivery whose turn it was was worked on, and later waves are not due yet.
    case waiting(until: Date)
    /// The run's time is up; what is left is skipped, for this reason.
    case late(detail: String)
    /// `hubsend stop` asked for it.
    case stopped(StopMode)
    case paused(Pause)
}

/// How a run ends: decided by why the work on it ended, and by how many deliveries have no outcome.
///
/// A run is finished when every delivery has an outcome, whatever ended the work.
struct RunConclusion: Hashable, Sendable {
    /// What becomes of the deliveries that have no outcome.
    enum Remainder: Hashable, Sendable {
        /// They stay as they are.
        case kept
        /// They end as `stop --final` or `stop --revoke` asks; payloads may have to be taken back even if nobody is left.
        case ended(by: StopMode)
        /// They are skipped, for this reason.
        case skipped(detail: String)
    }

    let result: RunResult
    let remainder: Remainder

    /// Decides how the run ends; nil when the work is complete and yet some deliveries are left.
    ///
    /// Then the store was changed from outside, or there is a bug.
    ///
    /// - Parameters:
    ///   - cause: why the work ended.
    ///   - left: how many deliveries have no outcome.
    init?(_ cause: EndCause, left: Int) {
        switch cause {
        case .complete:
            guard left == 0 else { return nil }
            (result, remainder) = (.finished, .kept)
        case .waiting(let resumption):
            (result, remainder) = (left == 0 ? .finished : .waiting(until: resumption), .kept)
        case .late(let detail):
            (result, remainder) = (.finished, left == 0 ? .kept : .skipped(detail: detail))
        case .stopped(.resumable):
            (result, remainder) = (left == 0 ? .finished : .stopped, .kept)
        case .stopped(let mode):
            (result, remainder) = (left == 0 ? .finished : .ended, .ended(by: mode))
        case .paused(let pause):
            result = left == 0 ? .finished : .paused(pause.cause, reason: pause.reason)
            remainder = .kept
        }
    }

    /// The state that the run is left in.
    var state: RunState {
        switch result {
        case .finished, .alreadyFinished, .ended: .finished
        case .waiting: .waiting
        case .stopped: .stopped
        case .paused: .paused
        case .left: .running
        }
    }

    /// The reason that is written down with the state.
    var reason: String? {
        if case .paused(_, let reason) = result { reason } else { nil }
    }

    /// Whether the run goes on by itself, which is written down with the state.
    var pause: RunPause? {
        if case .paused(let cause, _) = result { cause.pause } else { nil }
    }
}
