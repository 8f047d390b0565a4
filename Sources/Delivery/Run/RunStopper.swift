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
        switch (try await record(of: id).state, mode) {
        case (.finished, .revoking):
            try await ledger.revoke(id, at: now())
            return .revoked
        case (.finished, _): throw StopError.finished(id)
        case (.stopped, .resumable): return .alreadyStopped
        case (.stopped, _), (.staging, _), (.running, _), (.paused, _): break
        }
        // Devices that ask while the run still ends get nothing any more.
        if mode == .revoking { try await ledger.revoke(id, at: now()) }
        try await ledger.requestStop(id)
        let timeline = Timeline(clock)
        while true {
            if let result = try await settle(id, mode) { return result }
            guard timeline.now < limit else { throw StopError.timedOut(id, after: limit) }
            try await timeline.sleep(until: min(limit, timeline.now + Self.pollInterval))
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
            return mode == .revoking ? .revoked : .finished
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
        // First of all: from here on no `run` continues it, whatever becomes of this process.
        try await ledger.setState(.stopped, reason: nil, of: id, at: now())
        return try await end(id, mode)
    }

    /// Gives what is left of a stopped run its outcome.
    private func end(_ id: RunID, _ mode: StopMode) async throws -> StopResult {
        let result: StopResult
        switch mode {
        case .resumable:
            return .stopped
        case .final:
            try await ledger.endRemaining(
                id, as: .notAttempted, detail: "ended by hubsend stop --final", at: now())
            result = .ended
        case .revoking:
            try await ledger.endRemaining(id, as: .skipped, detail: "revoked", at: now())
            result = .revoked
        }
        try await ledger.setState(.finished, reason: nil, of: id, at: now())
        return result
    }

    private func record(of id: RunID) async throws -> RunRecord {
        guard let record = try await ledger.run(id) else { throw StopError.noSuchRun(id) }
        return record
    }
}
