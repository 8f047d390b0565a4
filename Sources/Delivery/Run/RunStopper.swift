package import CampaignCore
package import FoundationEssentials

/// Stops a run from another process than the one that works on it.
package struct RunStopper: Sendable {
    private static let pollInterval: Duration = .milliseconds(250)

    private let ledger: any RunLedger
    private let lock: any CampaignLock
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Wires a stopper; the parameters are those of ``CampaignRunner``.
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
    /// It can be repeated: the next stop does what an interrupted one left undone. A stop that ends a run for good also ends its
    /// fallbacks. A stop that `resume` can undo leaves the fallbacks alone.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - mode: what to leave of the run.
    ///   - limit: how long to wait for the process that works on it.
    /// - Throws: ``StopError``; what ledger and lock throw; `CancellationError` while it waits.
    package func stop(
        _ id: RunID, mode: StopMode = .resumable, within limit: Duration = .seconds(60)
    ) async throws -> StopResult {
        let found = try await record(of: id)
        guard mode != .resumable, found.occurrence.fallbackOf == nil else {
            return try await stop(found, mode, within: limit)
        }
        var result = StopResult.ended
        var fallbacks = try await unfinishedFallbacks(of: found)
        // Usually, a run has finished when its fallback is under way; then only the fallback is left to end.
        if found.state != .finished || mode == .revoking || fallbacks.isEmpty {
            result = try await stop(found, mode, within: limit)
            // A fallback may have begun meanwhile.
            fallbacks = try await unfinishedFallbacks(of: found)
        }
        for fallback in fallbacks { _ = try await stop(fallback, mode, within: limit) }
        return result
    }

    private func unfinishedFallbacks(of run: RunRecord) async throws -> [RunRecord] {
        try await Sendings(of: run.campaign, at: run.hub, in: ledger)
            .fallbacks(of: run.id).filter { $0.state != .finished }
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
        // The request is written first: a process that works on the run then ends it, even if this one is killed.
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

    /// Ends the run if no process works on it, and finds out whether it has ended.
    private func settle(_ id: RunID, _ mode: StopMode) async throws -> StopResult? {
        let held = try await lock.acquire(campaign: try await record(of: id).campaign)
        defer { held?.release() }
        // With the lock held, the state cannot change; without it, only a finished run stays as it is.
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

    /// The result for a run that was ended by the process that works on it.
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

/// What a request to stop a run came to.
package enum StopResult: Hashable, Sendable {
    /// It is stopped, and stays so until it is resumed.
    case stopped
    /// It was stopped before.
    case alreadyStopped
    /// It finished before the request reached it.
    case finished
    /// Nobody works on it and it was never staged: it stops as soon as a `run` has staged it, before anything is sent.
    case stopsOnceStaged
    /// It is finished for good; what was left of it is not sent.
    case ended
    /// It is finished for good, and no device can fetch its payloads any more.
    case revoked
    /// Its payloads were taken back before, and there was nothing left to do.
    case alreadyRevoked(Date)
}

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

extension RunLedger {
    /// Gives the deliveries that are left of a run their outcome, as `stop --final` and `stop --revoke` ask.
    ///
    /// Repeating it does no harm: the next process finishes what a killed one began.
    ///
    /// - Parameters:
    ///   - run: which run; nobody else works on it.
    ///   - mode: what to leave of it.
    ///   - time: the current time.
    /// - Throws: what the ledger throws.
    func endRemaining(_ run: RunID, by mode: StopMode, at time: Date) async throws {
        switch mode {
        case .resumable:
            return
        case .final:
            try await endRemaining(
                run, as: .notAttempted, detail: "ended by hubsend stop --final", at: time)
        case .revoking:
            try await revoke(run, at: time)
            try await endRemaining(
                run, as: .skipped, detail: SkipReason.revoked.rawValue, at: time)
        }
    }
}
