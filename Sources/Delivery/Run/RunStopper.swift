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
    /// - Parameters:
    ///   - id: which run.
    ///   - limit: how long to wait for the process that works on it.
    /// - Returns: what it came to.
    /// - Throws: ``StopError``; what ledger and lock throw; `CancellationError` while it waits.
    package func stop(_ id: RunID, within limit: Duration = .seconds(60)) async throws -> StopResult
    {
        switch try await record(of: id).state {
        case .finished: throw StopError.finished(id)
        case .stopped: return .alreadyStopped
        case .staging, .running, .paused: break
        }
        try await ledger.requestStop(id)
        let timeline = Timeline(clock)
        while true {
            if let result = try await settle(id) { return result }
            guard timeline.now < limit else { throw StopError.timedOut(id, after: limit) }
            try await timeline.sleep(until: min(limit, timeline.now + Self.pollInterval))
        }
    }

    /// Looks whether the run has ended, and ends it where nobody works on it.
    private func settle(_ id: RunID) async throws -> StopResult? {
        let held = try lock.acquire(campaign: try await record(of: id).campaign)
        defer { held?.release() }
        // With the lock held, the state stands still; without it, only an end is final.
        let record = try await record(of: id)
        switch record.state {
        case .finished:
            return .finished
        case .stopped:
            return .stopped
        case .staging:
            guard held != nil else { return nil }
            guard record.isRehearsal else { return .stopsOnceStaged }
            // No `run` ever stages a rehearsal anew.
            try await ledger.clearStaging(id)
            try await ledger.setState(.stopped, reason: nil, of: id, at: now())
            return .stopped
        case .running, .paused:
            guard held != nil else { return nil }
            try await ledger.setState(.stopped, reason: nil, of: id, at: now())
            return .stopped
        }
    }

    private func record(of id: RunID) async throws -> RunRecord {
        guard let record = try await ledger.run(id) else { throw StopError.noSuchRun(id) }
        return record
    }
}
