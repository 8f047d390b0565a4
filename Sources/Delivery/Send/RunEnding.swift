import CampaignCore
import FoundationEssentials

/// Writes a run's end down, when nobody else works on it.
struct RunEnding {
    let run: RunRecord
    let ledger: any RunLedger
    /// The time of day, for what is written down.
    let now: @Sendable () -> Date

    /// Ends it.
    ///
    /// - Parameters:
    ///   - cause: why the work on it ended.
    ///   - waves: how far its waves are; nil: the run has no waves.
    /// - Returns: the run, its outcomes and how it ended, all of it durable.
    /// - Throws: ``RunError/unaccounted(_:deliveries:)``; what the ledger throws.
    func write(_ cause: EndCause, waves: WaveProgress?) async throws -> RunSummary {
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
