import CampaignCore
import FoundationEssentials
import Logging

/// Works on a run until it ends or this process has to leave.
///
/// The last process records the end while holding the campaign's lock, which no process can get
/// while others work on the run. A process that works alone always holds the lock, so no other
/// process can join.
struct RunSending: Sendable {
    static let interval: Duration = .milliseconds(250)
    /// After this many checks, the process assumes that others continue the run or keep the lock.
    private static let mostChecks = 8
    /// The limit for the number of checks, which doubles when other processes have more to do.
    private static let checkLimit = 1_024

    typealias Joined = (run: RunRecord, part: any RunPart)

    let runner: CampaignRunner
    /// nil if ``isAlone``.
    let others: (sharing: any RunSharing, process: WorkerProcess)?
    /// The clock for deadlines; it follows the ledger's clock if others may join, so that all hosts
    /// agree.
    let steady: SteadyTime
    /// The time recorded with outcomes; for a process that works alone, it may jump with the
    /// machine's clock.
    let now: @Sendable () -> Date
    private let lock: any CampaignLock

    init(_ runner: CampaignRunner) {
        self.runner = runner
        others = nil
        steady = SteadyTime(runner.clock, from: runner.now())
        now = runner.now
        lock = OwnLock()
    }

    init(
        _ runner: CampaignRunner, with sharing: any RunSharing, as process: WorkerProcess
    ) async throws {
        let steady = SteadyTime(runner.clock, from: try await sharing.time())
        self.runner = runner
        self.steady = steady
        others = (sharing, process)
        now = { steady.now }
        lock = runner.lock
    }

    /// Whether no other process can work on the run; its parts then have no lease.
    var isAlone: Bool { others == nil }

    private var ledger: any RunLedger { runner.ledger }

    /// The lock that a process working alone holds from beginning to end.
    private struct OwnLock: CampaignLock, HeldCampaignLock {
        func acquire(campaign: String) async throws -> (any HeldCampaignLock)? { self }
        func release() {}
    }

    // MARK: Joining

    /// Joins a run; returns nil if it is not `running` or if another process is deciding what to do
    /// with it.
    func join(_ id: RunID, holding lock: (any HeldCampaignLock)? = nil) async throws -> Joined? {
        guard let others else {
            let run = try await ledger.record(of: id)
            return (run, LonePart(run: run, ledger: ledger))
        }
        guard
            let part = try await others.sharing.join(id, as: others.process, holding: lock)
        else { return nil }
        do {
            // The delivery policy cannot change while a process has a part.
            return (try await ledger.record(of: id), part)
        } catch {
            await leave(part)
            throw error
        }
    }

    /// Like ``join(_:holding:)``, but verifies a run that no process works on.
    func joinVerified(_ found: RunRecord) async throws -> Joined? {
        guard try await workers(on: found) == 0,
            let held = try await lock.acquire(campaign: found.campaign)
        else { return try await join(found.id) }
        defer { held.release() }
        guard let run = try await ledger.run(found.id), run.state == .running else { return nil }
        _ = try await ledger.proceed(run, with: run.delivery, at: now(), runner.logger)
        return try await join(run.id, holding: held)
    }

    private func workers(on run: RunRecord) async throws -> Int {
        try await others?.sharing.workers(on: run.id).count ?? 0
    }

    // MARK: Sending

    /// Sends what is left of a run.
    ///
    /// The work is done in a task that is never cancelled, so results are recorded even if the
    /// caller is cancelled. The cancellation arrives as an event.
    func send(_ joined: Joined, warnings: [String] = []) async throws -> RunSummary {
        let interruption = Interruption()
        let work = Task { try await workUntilDone(joined, until: interruption) }
        var summary = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            interruption.come()
            ledger.sharing?.hurry()
        }
        summary.warnings = warnings
        return summary
    }

    /// Works on a run and joins again while there is more to do.
    private func workUntilDone(
        _ joined: Joined, until interruption: Interruption
    ) async throws -> RunSummary {
        let id = joined.run.id
        let logger = runner.logger.of(id)
        let timeline = Timeline(runner.clock)
        var next: Joined? = joined
        var left: Int?
        var mostChecks = Self.mostChecks
        while true {
            do {
                if let joined = next {
                    return try await work(joined, until: interruption, mostChecks: mostChecks)
                }
                _ = await interruption.wait(Self.interval, on: timeline)
            } catch is RunPartLost {
                logger.warning(
                    "Other processes took over this process's part of a run; joining again")
            } catch is StoreMoved {
                logger.notice(
                    "The store's server was restarted or replaced; joining a run again"
                )
            } catch RunError.unaccounted(_, let deliveries)
                where !isAlone && left.map({ deliveries < $0 }) ?? true
            {
                // Another process may have left deliveries after this one found nothing more to do.
                left = deliveries
            } catch is OthersContinue {
                // Two finished processes may each join again because of the other. To break this
                // cycle, one process must wait longer than the other takes to join.
                mostChecks = min(2 * mostChecks, Self.checkLimit)
                logger.info("Other processes continue the run; so does this one")
            }
            let found = try await ledger.record(of: id)
            guard found.state == .running else { return try await endedElsewhere(found) }
            if interruption.hasCome {
                let cause = EndCause.paused(Pause(.cancelled))
                return try await conclude(found, cause, until: interruption) {
                    try await ledger.conclude(found, cause, waves: nil, now: now)
                }
            }
            next = try await joinVerified(found)
        }
    }

    /// The run has more to do than this process found at its end.
    private struct OthersContinue: Error {}

    private func work(
        _ joined: Joined, until interruption: Interruption, mostChecks: Int
    ) async throws -> RunSummary {
        let (run, part) = joined
        let share = RunShare(part, Timeline(runner.clock))
        // The heartbeat starts first, because counting the outcomes of a large run may take longer
        // than the lease.
        let beating = share.heartbeat.map { heartbeat in Task { await heartbeat.beat() } }
        func leave(after error: (any Error)?) async {
            beating?.cancel()
            await beating?.value
            // If the lease is lost, the store is unavailable or others have taken over.
            if error.map({ $0 is StoreMoved }) ?? share.isHeld {
                await tellLast(share.heartbeat, of: run)
            }
            await self.leave(part)
        }
        var engine: RunEngine
        let cause: EndCause
        do {
            engine = RunEngine(
                run, waves: try await part.ledger.waves(run.id),
                outcomes: try await part.ledger.outcomes(run.id), share: share, of: self)
            interruption.reach(share.events)
            cause = try await engine.work()
        } catch {
            await leave(after: error)
            throw error
        }
        await leave(after: nil)
        return try await conclude(run, cause, until: interruption, mostChecks: mostChecks) {
            try await engine.conclude(cause)
        }
    }

    /// Reports requests and finished pages since the last heartbeat.
    private func tellLast(_ heartbeat: WorkerHeartbeat?, of run: RunRecord) async {
        do {
            try await heartbeat?.exchange()
        } catch {
            runner.logger.of(run.id).warning(
                "This process's last requests for a run could not be reported to the store")
        }
    }

    /// Leaves a run; if this fails, the part ends with its lease.
    private func leave(_ part: any RunPart) async {
        do {
            try await part.leave()
        } catch {
            runner.logger.notice("Leaving a run could not be reported to the store")
        }
    }

    // MARK: The end

    /// Ends the run when no other process works on it, or finds out how others ended it.
    ///
    /// Trouble in this process does not end the work of others. Throws ``OthersContinue`` if other
    /// processes have more to do, or if the run was resumed.
    private func conclude(
        _ run: RunRecord, _ cause: EndCause, until interruption: Interruption,
        mostChecks: Int = Self.mostChecks, _ write: () async throws -> RunSummary
    ) async throws -> RunSummary {
        let timeline = Timeline(runner.clock)
        var checks = 0
        while true {
            checks += 1
            let held = try await lock.acquire(campaign: run.campaign)
            defer { held?.release() }
            let found = try await ledger.record(of: run.id)
            guard found.state == .running else { return try await endedElsewhere(found, cause) }
            // Another host may have resumed a run that was stopped.
            if case .stopped = cause, try await ledger.stopRequest(run.id) == nil {
                throw OthersContinue()
            }
            if held != nil { return try await write() }
            if case .paused(let pause) = cause, pause.cause != .tooManyFailures {
                let others = try await workers(on: run)
                if others > 0 || checks == Self.mostChecks {
                    return try await leftToOthers(found, pause, to: others)
                }
                // Usually, another process holds the lock only briefly.
                try await timeline.sleep(until: timeline.now + Self.interval)
                continue
            }
            // A wave may have opened, or another process may have taken over abandoned deliveries.
            if cause == .complete, checks >= mostChecks, try await workers(on: run) > 0 {
                throw OthersContinue()
            }
            guard await interruption.wait(Self.interval, on: timeline) else {
                let others = try await workers(on: run)
                return try await leftToOthers(found, Pause(.cancelled), to: others)
            }
        }
    }

    private func leftToOthers(
        _ run: RunRecord, _ pause: Pause, to others: Int
    ) async throws -> RunSummary {
        // The holder of the lock is counted as a process.
        RunSummary(
            record: run, outcomes: try await ledger.outcomes(run.id),
            result: .left(pause.cause, reason: pause.reason, others: max(1, others)))
    }

    private func endedElsewhere(
        _ run: RunRecord, _ cause: EndCause? = nil
    ) async throws -> RunSummary {
        let outcomes = try await ledger.outcomes(run.id)
        runner.logger.of(run.id).info(
            "Another process ended the work on a run", metadata: ["state": "\(run.state)"])
        return RunSummary(
            record: run, outcomes: outcomes,
            result: RunResult(of: run, outcomes, after: cause, at: now()))
    }
}

extension RunResult {
    /// The result if another process ended the work; `cause` is why this process ended.
    init(of run: RunRecord, _ outcomes: OutcomeCounts, after cause: EndCause?, at time: Date) {
        let isCut = outcomes[.notAttempted] > 0 || run.revoked != nil && outcomes.revoked > 0
        switch run.state {
        case .finished: self = isCut ? .ended : .finished
        case .stopped: self = .stopped
        case .waiting: self = .waiting(until: run.resumes ?? time)
        case .staging, .running, .paused:
            var pause = Pause(PauseCause(run.pause))
            if case .paused(let own) = cause { pause = own }
            self = .paused(pause.cause, reason: run.reason ?? pause.reason)
        }
    }
}

/// The store may lack confirmed writes (``RunNews/mayLackWrites``).
///
/// The work ends once the results of pushes in flight are recorded.
struct StoreMoved: Error {}
