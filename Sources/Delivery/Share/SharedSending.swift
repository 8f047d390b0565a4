import CampaignCore
import FoundationEssentials
import Logging

/// Takes part in a run until it ends or this process has to leave.
///
/// Whoever is left records the end, with the campaign's lock, which nobody gets while others work
/// on the run.
struct SharedSending: Sendable {
    static let interval: Duration = .milliseconds(250)
    /// After so many looks, assumes that others continue or keep the lock.
    private static let mostLooks = 8
    /// The limit of looks after it was doubled because others had more to do.
    private static let mostLooksEver = 1_024

    struct Joined: Sendable {
        let run: RunRecord
        let part: any RunPart
    }

    let ledger: any RunLedger
    let sharing: any RunSharing
    let process: WorkerProcess
    let sender: any PushSender
    let lock: any CampaignLock
    let clock: any Clock<Duration>
    /// By the ledger's clock, so that all hosts agree.
    let steady: SteadyTime
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger
    let observe: @Sendable (RunProgress) -> Void

    private var now: @Sendable () -> Date { { [steady] in steady.now } }

    // MARK: Joining

    /// Joins a run; nil if it is not `running`, or another process is deciding about it.
    func join(_ id: RunID, holding lock: (any HeldCampaignLock)? = nil) async throws -> Joined? {
        guard let part = try await sharing.join(id, as: process, holding: lock) else { return nil }
        do {
            // The policy cannot change while a part is held.
            guard let run = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
            return Joined(run: run, part: part)
        } catch {
            await leave(part)
            throw error
        }
    }

    /// Like ``join(_:holding:)``, but verifies a run that nobody works on.
    func joinVerified(_ found: RunRecord) async throws -> Joined? {
        guard try await sharing.workers(on: found.id).isEmpty,
            let held = try await lock.acquire(campaign: found.campaign)
        else { return try await join(found.id) }
        defer { held.release() }
        guard let run = try await ledger.run(found.id), run.state == .running else { return nil }
        _ = try await ledger.proceed(run, with: run.delivery, at: now(), logger)
        return try await join(run.id, holding: held)
    }

    // MARK: Sending

    /// Sends what a run has left, in a task of its own, together with other processes.
    func send(_ joined: Joined, warnings: [String] = []) async throws -> RunSummary {
        let interruption = Interruption()
        let work = Task { try await goOn(joined, until: interruption) }
        var summary = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            interruption.come()
            sharing.hurry()
        }
        summary.warnings = warnings
        return summary
    }

    private func goOn(
        _ first: Joined, until interruption: Interruption
    ) async throws -> RunSummary {
        var joined = first
        var left: Int?
        var mostLooks = Self.mostLooks
        while true {
            do {
                return try await work(joined, until: interruption, mostLooks: mostLooks)
            } catch is RunPartLost {
                logger.of(joined.run.id).warning(
                    "Others have taken over this process's part of a run; it joins again")
            } catch is StoreMoved {
                logger.of(joined.run.id).notice(
                    "The store's server was started anew, or another one has taken its place; this process joins a run again"
                )
            } catch RunError.unaccounted(_, let deliveries)
                where left.map({ deliveries < $0 }) ?? true
            {
                // Another process may have left them after this one found nothing more.
                left = deliveries
            } catch is OthersGoOn {
                // Two finished processes may each join again because of the other. To end that, one
                // has to wait longer than the other takes to join.
                mostLooks = min(2 * mostLooks, Self.mostLooksEver)
                logger.of(joined.run.id).info("Others go on with a run, and so does this process")
            }
            switch try await rejoin(joined.run, until: interruption) {
            case .joined(let next): joined = next
            case .over(let summary): return summary
            }
        }
    }

    /// The run has more to do than this process found at its end.
    private struct OthersGoOn: Error {}

    private enum Next {
        case joined(Joined)
        case over(RunSummary)
    }

    private func rejoin(
        _ run: RunRecord, until interruption: Interruption
    ) async throws -> Next {
        let timeline = Timeline(clock)
        while true {
            let found = try await record(of: run.id)
            guard found.state == .running else { return .over(try await standing(found)) }
            if interruption.hasCome {
                let cause = EndCause.paused(Pause(.cancelled))
                return .over(
                    try await conclude(found, cause, until: interruption) {
                        try await RunConclusion.write(found, cause, in: ledger, now: now)
                    })
            }
            if let joined = try await joinVerified(found) { return .joined(joined) }
            _ = await interruption.wait(Self.interval, on: timeline)
        }
    }

    private func work(
        _ joined: Joined, until interruption: Interruption, mostLooks: Int
    ) async throws -> RunSummary {
        let (run, part) = (joined.run, joined.part)
        let events = EventQueue<RunEvent>()
        let timeline = Timeline(clock)
        let heartbeat = WorkerHeartbeat(part, timeline, events)
        // Beats come first: counting the outcomes of a large run may outlast the lease.
        let beating = Task { await heartbeat.beat() }
        let known: (waves: [RunWave], outcomes: OutcomeCounts)
        do {
            known = (
                try await part.ledger.waves(run.id), try await part.ledger.outcomes(run.id)
            )
        } catch {
            beating.cancel()
            await beating.value
            await leave(part)
            throw error
        }
        var engine = RunEngine(
            run: run, waves: known.waves, outcomes: known.outcomes, ledger: part.ledger,
            sender: sender, timeline: timeline, now: now, steady: steady, random: random,
            events: events, share: SharedRun(part, heartbeat), logger: logger, observe: observe)
        interruption.reach(events)
        let cause: EndCause
        do {
            cause = try await engine.work()
        } catch {
            beating.cancel()
            await beating.value
            if error is StoreMoved { await tellLast(heartbeat, of: run) }
            await leave(part)
            throw error
        }
        beating.cancel()
        await beating.value
        // Without the lease, the store is away or others have taken over.
        if part.lease.isHeld { await tellLast(heartbeat, of: run) }
        await leave(part)
        return try await conclude(run, cause, until: interruption, mostLooks: mostLooks) {
            try await engine.conclude(cause, in: ledger)
        }
    }

    /// Reports requests and finished pages since the last beat.
    private func tellLast(_ heartbeat: WorkerHeartbeat, of run: RunRecord) async {
        do {
            try await heartbeat.exchange()
        } catch {
            logger.of(run.id).warning(
                "The store could not be told of this process's last requests for a run")
        }
    }

    /// If this fails, the part ends with its lease.
    private func leave(_ part: any RunPart) async {
        do {
            try await part.leave()
        } catch {
            logger.notice("The store could not be told that this process has left a run")
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
        let timeline = Timeline(clock)
        var looks = 0
        while true {
            looks += 1
            if let held = try await lock.acquire(campaign: run.campaign) {
                defer { held.release() }
                let found = try await record(of: run.id)
                guard found.state == .running else { return try await standing(found, cause) }
                try await requireStop(of: run, cause)
                return try await write()
            }
            let found = try await record(of: run.id)
            guard found.state == .running else { return try await standing(found, cause) }
            try await requireStop(of: run, cause)
            if case .paused(let pause) = cause, pause.cause != .tooManyFailures {
                let others = try await sharing.workers(on: run.id).count
                if others > 0 || looks == Self.mostLooks {
                    return try await leaving(found, pause, to: others)
                }
                // Usually somebody only looked at the campaign.
                try await timeline.sleep(until: timeline.now + Self.interval)
                continue
            }
            // A wave may have opened, or somebody may have taken over abandoned deliveries.
            if cause == .complete, looks >= mostLooks,
                try await !sharing.workers(on: run.id).isEmpty
            {
                throw OthersGoOn()
            }
            guard await interruption.wait(Self.interval, on: timeline) else {
                let others = try await sharing.workers(on: run.id).count
                return try await leaving(found, Pause(.cancelled), to: others)
            }
        }
    }

    /// Checks that the stop still stands: another host may have resumed the run.
    private func requireStop(of run: RunRecord, _ cause: EndCause) async throws {
        guard case .stopped = cause, try await ledger.stopRequest(run.id) == nil else { return }
        throw OthersGoOn()
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
        logger.of(run.id).info(
            "The work on a run ended, by another process", metadata: ["state": "\(run.state)"])
        return RunSummary(
            record: run, outcomes: outcomes,
            result: RunResult(of: run, outcomes, after: cause, at: now()))
    }

    private func record(of id: RunID) async throws -> RunRecord {
        guard let run = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        return run
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
            if case .paused(let pause) = cause {
                self = .paused(pause.cause, reason: run.reason ?? pause.reason)
                return
            }
            let pause = Pause(PauseCause(run.pause))
            self = .paused(pause.cause, reason: run.reason ?? pause.reason)
        }
    }
}

/// The store may lack confirmed writes (``RunNews/mayLackWrites``).
///
/// The work ends once the results of pushes that are out are recorded.
struct StoreMoved: Error {}
