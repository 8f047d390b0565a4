import CampaignCore
import FoundationEssentials
import Logging

/// Takes part in a run until it ends or this process has to leave.
///
/// Whoever is left records the end, with the campaign's lock, which nobody gets while others work
/// on the run. A process that works alone has a part that nobody shares, and keeps the lock.
struct RunSending: Sendable {
    static let interval: Duration = .milliseconds(250)
    /// After so many looks, assumes that others continue or keep the lock.
    private static let mostLooks = 8
    /// The limit of looks after it was doubled because others had more to do.
    private static let mostLooksEver = 1_024

    typealias Joined = (run: RunRecord, part: any RunPart)

    let runner: CampaignRunner
    /// nil: ``isAlone``.
    let others: (sharing: any RunSharing, process: WorkerProcess)?
    /// For deadlines; by the ledger's clock if others may join, so that all hosts agree.
    let steady: SteadyTime
    /// Recorded with outcomes; the clock of a process that works alone may jump.
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

    /// Whether nobody else can work on the run; its parts then have no lease.
    var isAlone: Bool { others == nil }

    private var ledger: any RunLedger { runner.ledger }

    /// The lock of a process that works alone, which has it from beginning to end.
    private struct OwnLock: CampaignLock, HeldCampaignLock {
        func acquire(campaign: String) async throws -> (any HeldCampaignLock)? { self }
        func release() {}
    }

    // MARK: Joining

    /// Joins a run; nil if it is not `running`, or another process is deciding about it.
    func join(_ id: RunID, holding lock: (any HeldCampaignLock)? = nil) async throws -> Joined? {
        guard let others else {
            let run = try await ledger.record(of: id)
            return (run, LonePart(run: run, ledger: ledger))
        }
        guard
            let part = try await others.sharing.join(id, as: others.process, holding: lock)
        else { return nil }
        do {
            // The policy cannot change while a part is held.
            return (try await ledger.record(of: id), part)
        } catch {
            await leave(part)
            throw error
        }
    }

    /// Like ``join(_:holding:)``, but verifies a run that nobody works on.
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

    /// Sends what a run has left.
    ///
    /// Works in a task that is never cancelled, so results are recorded even if the caller is
    /// cancelled. The cancellation arrives as an event.
    func send(_ joined: Joined, warnings: [String] = []) async throws -> RunSummary {
        let interruption = Interruption()
        let work = Task { try await goOn(joined, until: interruption) }
        var summary = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            interruption.come()
            ledger.sharing?.hurry()
        }
        summary.warnings = warnings
        return summary
    }

    /// Works on a run, and joins it again while there is more to do.
    private func goOn(
        _ joined: Joined, until interruption: Interruption
    ) async throws -> RunSummary {
        let id = joined.run.id
        let logger = runner.logger.of(id)
        let timeline = Timeline(runner.clock)
        var next: Joined? = joined
        var left: Int?
        var mostLooks = Self.mostLooks
        while true {
            do {
                if let joined = next {
                    return try await work(joined, until: interruption, mostLooks: mostLooks)
                }
                _ = await interruption.wait(Self.interval, on: timeline)
            } catch is RunPartLost {
                logger.warning(
                    "Others have taken over this process's part of a run; it joins again")
            } catch is StoreMoved {
                logger.notice(
                    "The store's server was started anew, or another one has taken its place; this process joins a run again"
                )
            } catch RunError.unaccounted(_, let deliveries)
                where !isAlone && left.map({ deliveries < $0 }) ?? true
            {
                // Another process may have left them after this one found nothing more.
                left = deliveries
            } catch is OthersGoOn {
                // Two finished processes may each join again because of the other. To end that, one
                // has to wait longer than the other takes to join.
                mostLooks = min(2 * mostLooks, Self.mostLooksEver)
                logger.info("Other processes continue the run, and so does this one")
            }
            let found = try await ledger.record(of: id)
            guard found.state == .running else { return try await standing(found) }
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
    private struct OthersGoOn: Error {}

    private func work(
        _ joined: Joined, until interruption: Interruption, mostLooks: Int
    ) async throws -> RunSummary {
        let (run, part) = joined
        let share = RunShare(part, Timeline(runner.clock))
        // Beats come first: counting the outcomes of a large run may outlast the lease.
        let beating = share.heartbeat.map { heartbeat in Task { await heartbeat.beat() } }
        func leave(after error: (any Error)?) async {
            beating?.cancel()
            await beating?.value
            // Without the lease, the store is away or others have taken over.
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
        return try await conclude(run, cause, until: interruption, mostLooks: mostLooks) {
            try await engine.conclude(cause)
        }
    }

    /// Reports requests and finished pages since the last beat.
    private func tellLast(_ heartbeat: WorkerHeartbeat?, of run: RunRecord) async {
        do {
            try await heartbeat?.exchange()
        } catch {
            runner.logger.of(run.id).warning(
                "The store could not be told of this process's last requests for a run")
        }
    }

    /// If this fails, the part ends with its lease.
    private func leave(_ part: any RunPart) async {
        do {
            try await part.leave()
        } catch {
            runner.logger.notice("The store could not be told that this process has left a run")
        }
    }

    // MARK: The end

    /// Ends the run once nobody else works on it, or finds out how others ended it.
    ///
    /// Trouble of this process alone does not end the others' work. Throws ``OthersGoOn`` if they
    /// have more to do, or the run was resumed.
    private func conclude(
        _ run: RunRecord, _ cause: EndCause, until interruption: Interruption,
        mostLooks: Int = Self.mostLooks, _ write: () async throws -> RunSummary
    ) async throws -> RunSummary {
        let timeline = Timeline(runner.clock)
        var looks = 0
        while true {
            looks += 1
            let held = try await lock.acquire(campaign: run.campaign)
            defer { held?.release() }
            let found = try await ledger.record(of: run.id)
            guard found.state == .running else { return try await standing(found, cause) }
            // Another host may have resumed a run that was stopped.
            if case .stopped = cause, try await ledger.stopRequest(run.id) == nil {
                throw OthersGoOn()
            }
            if held != nil { return try await write() }
            if case .paused(let pause) = cause, pause.cause != .tooManyFailures {
                let others = try await workers(on: run)
                if others > 0 || looks == Self.mostLooks {
                    return try await leaving(found, pause, to: others)
                }
                // Usually somebody only looked at the campaign.
                try await timeline.sleep(until: timeline.now + Self.interval)
                continue
            }
            // A wave may have opened, or somebody may have taken over abandoned deliveries.
            if cause == .complete, looks >= mostLooks, try await workers(on: run) > 0 {
                throw OthersGoOn()
            }
            guard await interruption.wait(Self.interval, on: timeline) else {
                let others = try await workers(on: run)
                return try await leaving(found, Pause(.cancelled), to: others)
            }
        }
    }

    private func leaving(
        _ run: RunRecord, _ pause: Pause, to others: Int
    ) async throws -> RunSummary {
        // The holder of the lock counts as one, too.
        RunSummary(
            record: run, outcomes: try await ledger.outcomes(run.id),
            result: .left(pause.cause, reason: pause.reason, others: max(1, others)))
    }

    private func standing(
        _ run: RunRecord, _ cause: EndCause? = nil
    ) async throws -> RunSummary {
        let outcomes = try await ledger.outcomes(run.id)
        runner.logger.of(run.id).info(
            "The work on a run ended, by another process", metadata: ["state": "\(run.state)"])
        return RunSummary(
            record: run, outcomes: outcomes,
            result: RunResult(of: run, outcomes, after: cause, at: now()))
    }
}

extension RunResult {
    /// How another process ended the work; `cause` is why this one ended.
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
/// The work ends once the results of pushes that are out are recorded.
struct StoreMoved: Error {}
