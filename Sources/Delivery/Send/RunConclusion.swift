import CampaignCore
import FoundationEssentials

extension RunResult {
    /// Returns the result of a run, given the cause of its end and the number of deliveries without
    /// an outcome.
    ///
    /// A run is finished if every delivery has an outcome, whatever ended the work. Returns nil if
    /// the work is complete but deliveries are left, which means that something else changed the
    /// store or that there is a bug.
    init?(_ cause: EndCause, left: Int) {
        switch cause {
        case _ where left == 0, .late: self = .finished
        case .complete: return nil
        case .waiting(let resumption): self = .waiting(until: resumption)
        case .stopped(.resumable): self = .stopped
        case .stopped: self = .ended
        case .paused(let pause): self = .paused(pause.cause, reason: pause.reason)
        }
    }
}

extension RunHistory where Self: RunControl {
    /// Records a run's end; call when no other process works on it.
    ///
    /// Throws ``RunError/unaccounted(_:deliveries:)`` if the work is complete but deliveries are
    /// left.
    ///
    /// - Parameter waves: required if the cause is ``EndCause/complete``.
    func conclude(
        _ run: RunRecord, _ cause: EndCause, waves: WaveProgress?, now: @Sendable () -> Date
    ) async throws -> RunSummary {
        var outcomes = try await outcomes(run.id)
        let left = outcomes[.notAttempted]
        var cause = cause
        if cause == .complete, left > 0, let waves, waves.hasSendTimes {
            cause = waves.end(try await waveOutcomes(run.id), before: RunDeadline(run))
        }
        guard let result = RunResult(cause, left: left) else {
            // If the store is damaged, this throws a more precise error.
            try await verify(run.id)
            throw RunError.unaccounted(run.id, deliveries: left)
        }
        switch cause {
        case .stopped(let mode) where mode != .resumable:
            // Payloads may have to be revoked even if nobody is left.
            try await endRemaining(run.id, by: mode, at: now())
            outcomes = try await self.outcomes(run.id)
        case .late(let detail) where left > 0:
            try await endRemaining(
                run.id, as: .skipped, because: RunDeadline(run).reason, detail: detail, at: now())
            outcomes = try await self.outcomes(run.id)
        case .complete, .waiting, .late, .stopped, .paused: break
        }
        switch result {
        case .waiting(let resumption):
            try await setWaiting(run.id, until: resumption, at: now())
        case .paused(let cause, let reason):
            try await setState(.paused, reason: reason, pause: cause.pause, of: run.id, at: now())
        case .stopped, .finished, .alreadyFinished, .ended, .left:
            let state = result == .stopped ? RunState.stopped : .finished
            try await setState(state, reason: nil, of: run.id, at: now())
        }
        return RunSummary(record: try await record(of: run.id), outcomes: outcomes, result: result)
    }
}
