package import CampaignCore
package import FoundationEssentials

/// Stops a run from another process than the one that works on it.
package struct RunStopper: Sendable {
    private static let pollInterval: Duration = .milliseconds(250)

    private let ledger: any RunLedger
    private let lock: any CampaignLock
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Wires a stopper; the parameters are as those of ``CampaignRunner``.
    package init(
        ledger: any RunLedger, lock: any CampaignLock,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.ledger = ledger
        self.lock = lock
        self.clock = clock
        self.now = now
    }

    /// Stops a run and waits until it is.
    ///
    /// Repeating it does no harm: what a stop that was itself interrupted left undone, the next one does.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - mode: what to leave of it.
    ///   - limit: how long to wait for the process that works on it.
    /// - Returns: what it came to.
    /// - Throws: ``StopError``; what ledger and lock throw; `CancellationError` while it waits.
    package func stop(
        _ id: RunID, mode: StopMode = .resumable, within limit: Duration = .seconds(60)
    ) async throws -> StopResult {
        let found = try await record(of: id)
        switch (found.state, mode) {
        case (.finished, .revoking):
            guard found.kind.isSilent else { throw StopError.shown(id) }
            if let time = found.revoked { return .alreadyRevoked(time) }
            try await ledger.revoke(id, at: now())
            return .revoked
        case (.finished, _): throw StopError.finished(id)
        case (.stopped, .resumable): return .alreadyStopped
        case (.stopped, _), (.staging, _), (.running, _), (.paused, _): break
        }
        // The request first: whoever works on the run then ends it, whatever becomes of this process.
        try await ledger.requestStop(id, mode)
        if mode == .revoking { try await ledger.revoke(id, at: now()) }
        let timeline = Timeline(clock)
        while true {
            if let result = try await settle(id, mode) { return result }
            guard timeline.now < limit else { throw StopError.timedOut(id, after: limit) }
            try await timeline.sleep(until: min(limit, timeline.now + Self.pollInterval))
            // A `resume` that began meanwhile has withdrawn a request that it found.
            if try await ledger.stopRequest(id) == nil { try await ledger.requestStop(id, mode) }
        }
    }

    /// Looks whether the run has ended, and ends it where nobody works on it.
    private func settle(_ id: RunID, _ mode: StopMode) async throws -> StopResult? {
        let held = try lock.acquire(campaign: try await record(of: id).campaign)
        defer { held?.release() }
        // With the lock held, the state stands still; without it, only an end is final.
        let record = try await record(of: id)
        switch record.state {
        case .finished:
            return try await ended(id, by: mode)
        case .stopped where mode == .resumable:
            return .stopped
        case .staging:
            guard held != nil else { return nil }
            guard record.isRehearsal || mode != .resumable else { return .stopsOnceStaged }
            // No `run` ever stages it anew.
            try await ledger.clearStaging(id)
        case .running, .paused, .stopped:
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

    /// What became of a run that the process which works on it has finished.
    private func ended(_ id: RunID, by mode: StopMode) async throws -> StopResult {
        switch mode {
        case .resumable: .finished
        case .final: try await ledger.outcomes(id)[.notAttempted] > 0 ? .ended : .finished
        case .revoking: .revoked
        }
    }

    private func record(of id: RunID) async throws -> RunRecord {
        guard let record = try await ledger.run(id) else { throw StopError.noSuchRun(id) }
        return record
    }
}
