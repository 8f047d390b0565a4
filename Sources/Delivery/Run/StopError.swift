package import CampaignCore

/// Why a run could not be stopped.
package enum StopError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchRun(RunID)
    case finished(RunID)
    /// Its alerts were shown at once; nothing can be taken back.
    case shown(RunID)
    /// The process that works on it has not ended in time; the request stands.
    case timedOut(RunID, after: Duration)

    package var description: String {
        switch self {
        case .noSuchRun(let run):
            "There is no run \(run) in this store; `hubsend runs` lists those that are."
        case .finished(let run):
            "Run \(run) is finished, so there is nothing to stop."
        case .shown(let run):
            "Run \(run) sent alerts and is finished: an alert shows at once and cannot be taken back, so nothing "
                + "was changed."
        case .timedOut(let run, let limit):
            "Run \(run) was asked to stop and has not ended after \(limit.components.seconds) s; the "
                + "request stands and takes effect after the pushes in flight, see `hubsend runs`."
        }
    }
}
