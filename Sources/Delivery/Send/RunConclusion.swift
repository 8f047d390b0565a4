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

// MARK: Writing it down

extension RunConclusion {
    /// Writes a run's end down, when nobody else works on it.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - cause: why the work on it ended.
    ///   - waves: how far its waves are; nil: the run has no waves.
    ///   - ledger: where the run is kept.
    ///   - now: the time of day, for what is written down.
    /// - Returns: the run, its outcomes and how it ended, all of it durable.
    /// - Throws: ``RunError/unaccounted(_:deliveries:)``; what the ledger throws.
    static func write(
        _ run: RunRecord, _ cause: EndCause, waves: WaveProgress? = nil, in ledger: any RunLedger,
        now: @Sendable () -> Date
    ) async throws -> RunSummary {
        var outcomes = try await ledger.outcomes(run.id)
        let left = outcomes[.notAttempted]
        var cause = cause
        if cause == .complete, left > 0, let waves {
            cause = waves.end(try await ledger.waveStandings(run.id), before: RunDeadline(run))
        }
        guard let conclusion = RunConclusion(cause, left: left) else {
            // If the store was damaged meanwhile, that is reported instead.
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
            try await ledger.endRemaining(run.id, as: .skipped, detail: detail, at: now())
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
