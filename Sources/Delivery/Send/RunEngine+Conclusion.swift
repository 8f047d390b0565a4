import CampaignCore
import FoundationEssentials
import Logging

extension RunEngine {
    /// Writes the run's end down.
    ///
    /// - Returns: the run as it now is, its outcomes and how it ended.
    /// - Throws: the ledger's failure, or ``RunError/unaccounted(_:deliveries:)``.
    mutating func conclude() async throws -> (RunRecord, OutcomeCounts, RunEnd) {
        if let failure {
            await writeAfterFailure()
            throw failure
        }
        outcomes = try await ledger.outcomes(run.id)
        let end: RunEnd
        do {
            end = try closing()
        } catch {
            // Damage that came while it was worked on is no fault of this program.
            try await ledger.verify(run.id)
            throw error
        }
        if try await endRemaining() { outcomes = try await ledger.outcomes(run.id) }
        try await ledger.setState(end.state, reason: end.reason, of: run.id, at: now())
        guard let record = try await ledger.run(run.id) else { throw RunError.noSuchRun(run.id) }
        if end == .finished { tell(nil) }
        observe(progress())
        logger.info(
            "The work on a run ended",
            metadata: [
                "run": "\(run.id)", "state": "\(end.state)", "requests": "\(requests)",
                "seconds-sending": "\(timeline.now / .seconds(1))",
            ])
        return (record, outcomes, end)
    }

    /// Gives what is left its outcome, where the run is to end with it.
    private func endRemaining() async throws -> Bool {
        switch ending {
        // Also with nobody left: the payloads may have to be taken back.
        case .stopped(let mode):
            try await ledger.endRemaining(run.id, by: mode, at: now())
            return mode != .resumable
        case .late(let detail) where outcomes[.notAttempted] > 0:
            try await ledger.endRemaining(run.id, as: .skipped, detail: detail, at: now())
            return true
        case .complete, .late, .paused, .failed, nil:
            return false
        }
    }

    /// Tells about progress when it is time to.
    mutating func report() {
        let time = timeline.now
        guard time >= nextReport else { return }
        nextReport = time + Self.tick
        tell(ending == nil ? trouble(at: time) : nil)
        observe(progress())
    }

    /// Why the run stands still; nil when it does not, or not for long.
    func trouble(at time: Duration) -> HubTrouble? {
        let now = steady.now
        return watch.trouble(judge, at: time) {
            now.addingTimeInterval(($0 - time) / .seconds(1))
        }
    }

    /// Writes a trouble to the log when it is another than before, and when it is over.
    ///
    /// It is no warning: a short one is nobody's business, and a lasting one pauses the run, which then says why.
    private mutating func tell(_ trouble: HubTrouble?) {
        guard watch.isNews(trouble, judge, at: timeline.now) else { return }
        logger.notice(
            "\(trouble.map { "Waiting for the hub: \($0.gist)" } ?? "The hub answers again")",
            metadata: ["run": "\(run.id)"])
    }

    private func progress() -> RunProgress {
        let time = timeline.now
        return RunProgress(
            run: run.id, deliveries: run.deliveries, outcomes: outcomes, requests: requests,
            rate: meter.rate(at: time), started: run.started,
            trouble: ending == nil ? trouble(at: time) : nil)
    }

    /// How the run ends: whatever ended the work, it is finished when every delivery has an outcome, and only then.
    private func closing() throws(RunError) -> RunEnd {
        let left = outcomes[.notAttempted]
        if left == 0 { return .finished }
        switch ending {
        case .stopped(.resumable):
            return .stopped
        case .stopped:
            return .ended
        case .late:
            return .finished
        case .paused(let pause):
            return .paused(pause.cause, reason: pause.reason)
        case .complete, .failed, nil:
            throw .unaccounted(run.id, deliveries: left)
        }
    }

    /// The answers that came in after the ledger failed may fit by now; what does not is `sending` and stays uncertain.
    private mutating func writeAfterFailure() async {
        do {
            try await write()
        } catch {
            logger.error(
                "Answers of the hub could not be written down",
                metadata: ["run": "\(run.id)", "answers": "\(unrecorded.count)"])
        }
    }
}

extension RunEnd {
    fileprivate var state: RunState {
        switch self {
        case .finished, .alreadyFinished, .ended: .finished
        case .stopped: .stopped
        case .paused: .paused
        }
    }

    fileprivate var reason: String? {
        if case .paused(_, let reason) = self { reason } else { nil }
    }
}
