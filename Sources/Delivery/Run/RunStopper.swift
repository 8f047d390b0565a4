package import CampaignCore
package import FoundationEssentials

/// Stops a run from a process that does not work on it.
package struct RunStopper: Sendable {
    private static let pollInterval: Duration = .milliseconds(250)

    private let ledger: any RunLedger
    private let lock: any CampaignLock
    package var clock: any Clock<Duration> = ContinuousClock()
    package var now: @Sendable () -> Date = { Date() }

    package init(ledger: any RunLedger, lock: any CampaignLock) {
        self.ledger = ledger
        self.lock = lock
    }

    /// Stops a run and waits until it has stopped.
    ///
    /// If stopping is interrupted, it can be repeated.
    ///
    /// A permanent stop also ends the run's fallbacks, but a stop that `resume` can undo does not.
    ///
    /// - Parameter limit: how long to wait for the process that works on the run.
    package func stop(
        _ id: RunID, mode: StopMode = .resumable, within limit: Duration = .seconds(60)
    ) async throws -> StopResult {
        let found = try await ledger.record(of: id)
        guard mode != .resumable, found.occurrence.fallbackOf == nil else {
            return try await stop(found, mode, within: limit)
        }
        var result = StopResult.ended
        var fallbacks = try await unfinishedFallbacks(of: found)
        // When a fallback is being sent, its run has usually finished, so only the fallback has to
        // be stopped.
        if found.state != .finished || mode == .revoking || fallbacks.isEmpty {
            result = try await stop(found, mode, within: limit)
            // A fallback may have started since.
            fallbacks = try await unfinishedFallbacks(of: found)
        }
        for fallback in fallbacks { _ = try await stop(fallback, mode, within: limit) }
        return result
    }

    private func unfinishedFallbacks(of run: RunRecord) async throws -> [RunRecord] {
        try await ledger.fallbacks(of: run).filter { $0.state != .finished }
    }

    private func stop(
        _ found: RunRecord, _ mode: StopMode, within limit: Duration
    ) async throws -> StopResult {
        let id = found.id
        switch (found.state, mode) {
        case (.finished, .revoking):
            guard found.kind.isSilent else { throw StopError.shown(id) }
            if let time = found.revoked { return .alreadyRevoked(time) }
            try await ledger.revoke(id, at: now())
            return .revoked
        case (.finished, _): throw StopError.finished(id)
        case (.stopped, .resumable): return .alreadyStopped
        case (.stopped, _), (.staging, _), (.running, _), (.paused, _), (.waiting, _):
            break
        }
        // The request is written first, so that the process that works on the run ends it even if
        // this one is killed.
        try await ledger.requestStop(id, mode)
        if mode == .revoking { try await ledger.revoke(id, at: now()) }
        let timeline = Timeline(clock)
        while true {
            if let result = try await settle(id, mode) { return result }
            guard timeline.now < limit else { throw StopError.timedOut(id, after: limit) }
            try await timeline.sleep(until: min(limit, timeline.now + Self.pollInterval))
            // A `resume` that started since may have withdrawn the request.
            if try await ledger.stopRequest(id) == nil { try await ledger.requestStop(id, mode) }
        }
    }

    /// Ends the run if no process works on it; returns nil if it has not ended.
    private func settle(_ id: RunID, _ mode: StopMode) async throws -> StopResult? {
        let held = try await lock.acquire(campaign: try await ledger.record(of: id).campaign)
        defer { held?.release() }
        // Without the lock, only the state of a finished run is reliable.
        let record = try await ledger.record(of: id)
        switch record.state {
        case .finished:
            // The process that was working on the run has ended it.
            switch mode {
            case .resumable: return .finished
            case .final:
                return try await ledger.outcomes(id)[.notAttempted] > 0 ? .ended : .finished
            case .revoking: return .revoked
            }
        case .stopped where mode == .resumable:
            return .stopped
        case .staging:
            guard held != nil else { return nil }
            guard record.isRehearsal || mode != .resumable else { return .stopsOnceStaged }
            // No `run` will stage it again.
            try await ledger.clearStaging(id)
        case .running, .paused, .waiting, .stopped:
            guard held != nil else { return nil }
        }
        guard mode != .resumable else {
            try await ledger.setState(.stopped, reason: nil, of: id, at: now())
            return .stopped
        }
        try await ledger.endRemaining(id, by: mode, at: now())
        try await ledger.setState(.finished, reason: nil, of: id, at: now())
        return mode == .revoking ? .revoked : .ended
    }
}

package enum StopResult: Hashable, Sendable {
    case stopped
    case alreadyStopped
    case finished
    /// The run is not staged yet; once a `run` has staged it, it stops before anything is sent.
    case stopsOnceStaged
    case ended
    case revoked
    case alreadyRevoked(Date)
}

package enum StopError: Error, Hashable, Sendable, CustomStringConvertible {
    case finished(RunID)
    /// Alerts that were already sent cannot be taken back.
    case shown(RunID)
    /// The stop request remains in effect.
    case timedOut(RunID, after: Duration)

    package var description: String {
        switch self {
        case .finished(let run):
            "Run \(run) is finished, so there is nothing to stop."
        case .shown(let run):
            "Run \(run) sent alerts and is finished. Alerts that were already sent cannot be taken back, so "
                + "nothing was changed."
        case .timedOut(let run, let limit):
            "Run \(run) was asked to stop but has not stopped after "
                + "\(limit.components.seconds) s. The request remains in effect, and the run stops after "
                + "the pushes in flight; see `hubsend runs`."
        }
    }
}

extension RunControl {
    /// Records the outcome of the remaining deliveries, for `stop --final` and `stop --revoke`.
    ///
    /// This can be repeated: if a process is killed, the next one completes its work.
    func endRemaining(_ run: RunID, by mode: StopMode, at time: Date) async throws {
        switch mode {
        case .resumable:
            return
        case .final:
            try await endRemaining(
                run, as: .notAttempted, because: nil, detail: "ended by hubsend stop --final",
                at: time)
        case .revoking:
            try await revoke(run, at: time)
            try await endRemaining(
                run, as: .skipped, because: .revoked, detail: SkipReason.revoked.rawValue,
                at: time)
        }
    }
}
