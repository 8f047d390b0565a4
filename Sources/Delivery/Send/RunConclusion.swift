import CampaignCore
import FoundationEssentials

/// How a run ends, by the cause and the number of deliveries without an outcome.
///
/// A run is finished if every delivery has an outcome, whatever ended the work.
struct RunConclusion: Hashable, Sendable {
    /// What happens to deliveries without an outcome.
    enum Remainder: Hashable, Sendable {
        case kept
        /// As `stop --final` or `stop --revoke` asks; payloads may need revoking even if nobody is
        /// left.
        case ended(by: StopMode)
        case skipped(detail: String)
    }

    let result: RunResult
    let remainder: Remainder

    /// Nil if the work is complete but deliveries are left: a changed store, or a bug.
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

    var state: RunState {
        switch result {
        case .finished, .alreadyFinished, .ended: .finished
        case .waiting: .waiting
        case .stopped: .stopped
        case .paused: .paused
        case .left: .running
        }
    }

    var reason: String? {
        if case .paused(_, let reason) = result { reason } else { nil }
    }

    var pause: RunPause? {
        if case .paused(let cause, _) = result { cause.pause } else { nil }
    }
}

// MARK: Writing it down

extension RunConclusion {
    /// Records a run's end, when nobody else works on it.
    ///
    /// Throws ``RunError/unaccounted(_:deliveries:)`` if the work is complete but deliveries are
    /// left.
    ///
    /// - Parameter waves: needed if the cause is ``EndCause/complete``.
    static func write(
        _ run: RunRecord, _ cause: EndCause, waves: WaveProgress?,
        in ledger: any RunHistory & RunControl,
        now: @Sendable () -> Date
    ) async throws -> RunSummary {
        var outcomes = try await ledger.outcomes(run.id)
        let left = outcomes[.notAttempted]
        var cause = cause
        if cause == .complete, left > 0, let waves, waves.hasTurns {
            cause = waves.end(try await ledger.waveStandings(run.id), before: RunDeadline(run))
        }
        guard let conclusion = RunConclusion(cause, left: left) else {
            // Damage of the store is reported instead.
            try await ledger.verify(run.id)
            throw RunError.unaccounted(run.id, deliveries: left)
        }
        switch conclusion.remainder {
        case .kept:
            break
        case .ended(let mode):
            try await ledger.endRemaining(run.id, by: mode, at: now())
            outcomes = try await ledger.outcomes(run.id)
        case .skipped(let detail):
            try await ledger.endRemaining(
                run.id, as: .skipped, because: RunDeadline(run).reason, detail: detail, at: now())
            outcomes = try await ledger.outcomes(run.id)
        }
        if case .waiting(let resumption) = conclusion.result {
            try await ledger.setWaiting(run.id, until: resumption, at: now())
        } else {
            try await ledger.setState(
                conclusion.state, reason: conclusion.reason, pause: conclusion.pause, of: run.id,
                at: now())
        }
        guard let record = try await ledger.run(run.id) else { throw RunError.noSuchRun(run.id) }
        return RunSummary(record: record, outcomes: outcomes, result: conclusion.result)
    }
}
