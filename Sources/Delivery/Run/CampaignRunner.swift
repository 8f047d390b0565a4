package import CampaignCore
package import FoundationEssentials
package import Logging

/// Takes a campaign to one recorded outcome per delivery.
///
/// One process at a time works on a campaign. Cancelling the task ends the work in order: nothing new begins, what is in
/// flight ends and is written down, and the run is `paused`.
package struct CampaignRunner: Sendable {
    /// The unfinished run that `--again` continues, and the finished one whose rest is wanted, are looked for among this many of
    /// the campaign's latest.
    private static let mostRuns = 1_000

    private let ledger: any RunLedger
    private let sender: any PushSender
    private let lock: any CampaignLock
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let random: any RandomNumberGenerator & Sendable
    private let logger: Logger
    private let observe: @Sendable (RunProgress) -> Void
    private let observeStaging: @Sendable (AudienceProgress) -> Void

    /// Wires a runner.
    ///
    /// - Parameters:
    ///   - ledger: where runs and outcomes are kept.
    ///   - sender: what reaches the hub.
    ///   - lock: what keeps other processes away.
    ///   - clock: what waits and deadlines are measured by.
    ///   - now: the time of day, for what is written down, and to place a run's deadlines when the work on it begins.
    ///   - random: where ids and jitter come from; cryptographically secure outside of tests, and copies of it must not
    ///     repeat each other.
    ///   - logger: for what helps to find a fault; no names and no payloads.
    ///   - observe: is told about progress, four times a second at the most and at the end; must return at once.
    ///   - observeStaging: is told, before that, how far the audience is on its way into the store; must return at once.
    package init(
        ledger: any RunLedger, sender: any PushSender, lock: any CampaignLock,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        logger: Logger, observe: @escaping @Sendable (RunProgress) -> Void = { _ in },
        observeStaging: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.sender = sender
        self.lock = lock
        self.clock = clock
        self.now = now
        self.random = random
        self.logger = logger
        self.observe = observe
        self.observeStaging = observeStaging
    }

    /// Begins a run or continues it.
    ///
    /// - Parameters:
    ///   - request: what to run.
    ///   - audience: plans the audience; called only when the run has to be staged, with the campaign's lock held.
    ///     What it throws ends the run before anything is written.
    /// - Returns: what became of it.
    /// - Throws: ``RunError``; what the ledger, the lock and `audience` throw; `CancellationError` when the task is
    ///   cancelled before anything is sent.
    package func run(
        _ request: RunRequest, audience: () async throws -> PlannedAudience
    ) async throws -> RunSummary {
        let held = try hold(request.campaign.name)
        defer { held.release() }
        let steady = SteadyTime(clock, from: now())
        let standing = try await Self.standingRun(for: request, in: ledger)
        if let other = try await Self.obstacle(to: request, beside: standing, in: ledger) {
            throw RunError.unfinished(
                other.id, campaign: other.campaign, state: other.state,
                left: try await ledger.outcomes(other.id)[.notAttempted])
        }
        guard let found = standing else {
            let run = try await begin(request, replacing: nil, by: steady, audience: audience)
            return try await send(run, by: steady, warnings: [])
        }
        var warnings: [String] = []
        switch request.mode {
        case .occurrence, .rehearsal:
            break
        case .again, .rest:
            warnings.append(
                "Run \(found.id) of campaign \(found.campaign) is not finished, so it is continued "
                    + "instead of a new one begun.")
        }
        switch found.state {
        case .finished:
            return try await summarize(
                found, warnings, changed: changedKeys(from: found, to: request.campaign))
        case .stopped:
            throw RunError.stopped(found.id)
        case .staging:
            let run = try await begin(request, replacing: found, by: steady, audience: audience)
            return try await send(run, by: steady, warnings: warnings)
        case .running, .paused:
            warnings += changes(from: found, to: request.campaign)
            let run = try await proceed(found, with: request.campaign.delivery)
            return try await send(run, by: steady, warnings: warnings)
        }
    }

    /// What became of a run that was found finished; damage of what another process has written is told, and not passed on.
    private func summarize(
        _ found: RunRecord, _ warnings: [String] = [], changed: [String]
    ) async throws -> RunSummary {
        try await ledger.verify(found.id)
        return RunSummary(
            record: found, outcomes: try await ledger.outcomes(found.id), result: .alreadyFinished,
            warnings: warnings, changed: changed)
    }

    /// Takes the lock of a campaign.
    private func hold(_ campaign: String) throws -> any HeldCampaignLock {
        guard let held = try lock.acquire(campaign: campaign) else {
            throw RunError.locked(campaign: campaign)
        }
        return held
    }

    /// Marks a staged run as `running` again.
    ///
    /// Another process has written it, and what was damaged since then would go to the wrong people, or to the right ones twice.
    private func proceed(_ found: RunRecord, with delivery: DeliveryPolicy) async throws
        -> RunRecord
    {
        try await ledger.verify(found.id)
        var run = found
        if run.delivery != delivery {
            try await ledger.setDelivery(delivery, of: run.id)
            run.delivery = delivery
        }
        try await ledger.setState(.running, reason: nil, of: run.id, at: now())
        logger.info("Continuing a run", metadata: ["run": "\(run.id)"])
        return run
    }

    /// Sends what a run has left.
    ///
    /// The work has a task of its own, which is never cancelled, so that what happened is still written down when this one
    /// is; the cancellation reaches it as an event.
    private func send(
        _ run: RunRecord, by steady: SteadyTime, warnings: [String]
    ) async throws -> RunSummary {
        let events = EventQueue<RunEvent>()
        let work = Task {
            var engine = RunEngine(
                run: run, outcomes: try await ledger.outcomes(run.id), ledger: ledger,
                sender: sender, timeline: Timeline(clock), now: now, steady: steady,
                random: random, events: events, logger: logger, observe: observe)
            return try await engine.work()
        }
        var summary = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            events.post(.cancelled)
        }
        summary.warnings = warnings
        return summary
    }

    /// The run that a request would continue, or find finished or stopped; nil when it would begin one.
    ///
    /// - Parameters:
    ///   - request: what is asked of a run.
    ///   - ledger: where runs are kept.
    /// - Returns: the run as it stands now; only with the campaign's lock held does it stay so.
    /// - Throws: what the ledger throws.
    package static func standingRun(
        for request: RunRequest, in ledger: any RunLedger
    ) async throws -> RunRecord? {
        let campaign = request.campaign.name
        switch request.mode {
        case .rehearsal:
            return nil
        case .occurrence(let occurrence):
            return try await ledger.run(
                hub: request.hub, campaign: campaign, occurrence: occurrence)
        case .again:
            let runs = try await ledger.runs(campaign: campaign, limit: mostRuns).filter { run in
                run.hub == request.hub && !run.isRehearsal
            }
            let unfinished = runs.first { $0.occurrence.isAgain && $0.state != .finished }
            if unfinished != nil || runs.contains(where: { $0.state == .finished }) {
                return unfinished
            }
            // No sending has ended yet, so that the first that was begun is the one that is asked for, also by a rerun.
            return runs.first { $0.occurrence == .once }
        case .rest:
            return try await ledger.runs(campaign: campaign, limit: mostRuns).first { run in
                run.hub == request.hub && run.occurrence.isRest && run.state != .finished
            }
        }
    }

    /// The unfinished run that keeps one more sending from being begun: continued later, it would reach people twice.
    ///
    /// - Parameters:
    ///   - request: what is asked of a run.
    ///   - standing: the run that it would continue; nil: none.
    ///   - ledger: where runs are kept.
    /// - Returns: nil when there is none, and for what is not one more sending.
    /// - Throws: what the ledger throws.
    package static func obstacle(
        to request: RunRequest, beside standing: RunRecord?, in ledger: any RunLedger
    ) async throws -> RunRecord? {
        switch request.mode {
        case .occurrence, .rehearsal: return nil
        case .again, .rest: break
        }
        guard standing.map({ $0.state == .staging }) ?? true else { return nil }
        return try await ledger.runs(campaign: request.campaign.name, limit: mostRuns).first {
            $0.hub == request.hub && !$0.isRehearsal
                && [.stopped, .paused, .running].contains($0.state)
        }
    }

    /// Whether a campaign has no sending yet but rehearsals and what was never staged, so that one more is its first.
    private static func isUnsent(
        _ campaign: String, at hub: HubIdentity, in ledger: any RunLedger
    ) async throws -> Bool {
        guard try await ledger.run(hub: hub, campaign: campaign, occurrence: .once) == nil else {
            return false
        }
        return try await !ledger.runs(campaign: campaign, limit: mostRuns).contains { run in
            run.hub == hub && !run.isRehearsal && run.state != .staging
        }
    }

    /// The run whose rest a campaign's next one may be for: the last that was begun of those that are finished; rehearsals are none.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept.
    /// - Returns: nil when there is none.
    /// - Throws: what the ledger throws.
    package static func lastFinishedRun(
        of campaign: String, at hub: HubIdentity, in ledger: any RunLedger
    ) async throws -> RunRecord? {
        try await ledger.runs(campaign: campaign, limit: mostRuns).first { run in
            run.hub == hub && !run.isRehearsal && run.state == .finished
        }
    }

    /// The top-level keys of the campaign file that are not as they were staged; `delivery` may always be another.
    private func changedKeys(from run: RunRecord, to campaign: Campaign) -> [String] {
        Set(run.fingerprints.keys).union(campaign.fingerprints.keys).filter {
            $0 != "delivery" && run.fingerprints[$0] != campaign.fingerprints[$0]
        }.sorted()
    }

    private func changes(from run: RunRecord, to campaign: Campaign) -> [String] {
        let changed = changedKeys(from: run, to: campaign)
        guard !changed.isEmpty else { return [] }
        let named = changed.joined(separator: ", ")
        return [
            "Campaign \(run.campaign) was changed after run \(run.id) was staged (\(named)); the run "
                + "goes on with what was staged, and takes only `delivery` from the file."
        ]
    }

    /// Plans the audience, writes a run down and stages it.
    ///
    /// - Parameters:
    ///   - request: what to run.
    ///   - found: the run whose staging was interrupted and which is staged anew; nil: none.
    ///   - steady: the time of day, by which the run starts.
    ///   - audience: plans the audience.
    /// - Returns: the run, staged.
    /// - Throws: as ``run(_:audience:)``.
    private func begin(
        _ request: RunRequest, replacing found: RunRecord?, by steady: SteadyTime,
        audience: () async throws -> PlannedAudience
    ) async throws -> RunRecord {
        let planned = try await audience()
        let timeline = Timeline(clock)
        guard planned.plan.faults.isEmpty else {
            throw RunError.refused(campaign: request.campaign.name, planned.plan.faults)
        }
        if let rest = planned.rest {
            // Planned without the lock: another process may have sent that rest meanwhile.
            let last = try await Self.lastFinishedRun(
                of: request.campaign.name, at: request.hub, in: ledger)
            guard last?.id == rest.run else {
                throw RunError.restIsGone(campaign: request.campaign.name, of: rest.run)
            }
        }
        var generator = random
        let start = steady.now
        let id = found?.id ?? RunID.make(startingAt: start, using: &generator)
        var occurrence = found?.occurrence
        if occurrence == nil, request.mode == .again,
            try await Self.isUnsent(request.campaign.name, at: request.hub, in: ledger)
        {
            // A later `run` without `--again` has to find that it was sent.
            occurrence = .once
        }
        var run = newRecord(request, id: id, occurrence: occurrence, start: start)
        if planned.rest != nil { run.platforms = planned.plan.platforms.map(\.platform) }
        if found != nil { try await ledger.clearStaging(id) }
        try await ledger.begin(run)
        logger.info("Staging a run", metadata: ["run": "\(id)"])
        try await RunStager(ledger: ledger, observe: observeStaging).stage(
            id, payload: request.campaign.payload, platforms: run.platforms, audience: planned,
            using: &generator)
        logger.info(
            "Staged a run",
            metadata: [
                "run": "\(id)", "recipients": "\(planned.plan.counts.final)",
                "seconds-staging": "\(timeline.now / .seconds(1))",
            ])
        guard let staged = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        return staged
    }

    private func newRecord(
        _ request: RunRequest, id: RunID, occurrence: Occurrence?, start: Date
    ) -> RunRecord {
        let campaign = request.campaign
        let own: Occurrence =
            switch request.mode {
            case .occurrence(let occurrence): occurrence
            case .again: .again(id)
            case .rest: .rest(id)
            case .rehearsal: .rehearsal(id)
            }
        return RunRecord(
            id: id, campaign: campaign.name, hub: request.hub, occurrence: occurrence ?? own,
            isRehearsal: request.mode == .rehearsal, state: .staging, kind: campaign.kind,
            platforms: campaign.platforms, isMessagePrivate: campaign.payload.isMessagePrivate,
            campaignPath: request.campaignPath, delivery: campaign.delivery,
            fingerprints: campaign.fingerprints, started: start,
            expires: start.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1)))
    }

    /// Continues a run that was stopped, paused or ended by a crash; its audience and payloads are those it was staged with.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - hub: the hub that the sender reaches; a run is never continued on another than its own.
    ///   - campaign: the campaign file as it is now, of which only `delivery` is taken; nil: the run goes on with its own.
    /// - Returns: what became of it.
    /// - Throws: ``RunError``; what ledger and lock throw.
    package func resume(
        _ id: RunID, at hub: HubIdentity, campaign: Campaign? = nil
    ) async throws -> RunSummary {
        guard let known = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        let held = try hold(known.campaign)
        defer { held.release() }
        let steady = SteadyTime(clock, from: now())
        // Only what is read with the lock held is sure.
        guard let found = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        guard found.hub == hub else {
            throw RunError.otherHub(id, begun: found.hub, configured: hub)
        }
        switch found.state {
        case .finished:
            return try await summarize(
                found, changed: campaign.map { changedKeys(from: found, to: $0) } ?? [])
        case .staging:
            throw RunError.notStaged(id, campaign: found.campaign)
        case .stopped, .paused, .running:
            try await ledger.clearStopRequest(id)
            let run = try await proceed(found, with: campaign?.delivery ?? found.delivery)
            return try await send(
                run, by: steady, warnings: campaign.map { changes(from: found, to: $0) } ?? [])
        }
    }
}
