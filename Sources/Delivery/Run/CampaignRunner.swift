package import CampaignCore
package import FoundationEssentials
package import Logging

/// Takes a campaign to one recorded outcome per delivery.
///
/// One process at a time works on a campaign. Cancelling the task ends the work in order: nothing new begins, what is in
/// flight ends and is written down, and the run is `paused`.
package struct CampaignRunner: Sendable {
    /// How often it looks whether a lock is free.
    private static let lockInterval: Duration = .milliseconds(250)

    private let ledger: any RunLedger
    private let sender: any PushSender
    private let lock: any CampaignLock
    private let process: WorkerProcess?
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let random: any RandomNumberGenerator & Sendable
    private let logger: Logger
    private let observe: @Sendable (RunProgress) -> Void
    private let observeStaging: @Sendable (AudienceProgress) -> Void
    private let observeLock: @Sendable (String) -> Void

    /// Wires a runner.
    ///
    /// - Parameters:
    ///   - ledger: where runs and outcomes are kept.
    ///   - sender: what reaches the hub.
    ///   - lock: what keeps other processes away.
    ///   - process: as whom it takes part in runs that others work on too, where the ledger lets it; nil: it works alone.
    ///   - patience: how long to wait for another process that works on the campaign.
    ///   - clock: what waits and deadlines are measured by.
    ///   - now: the time of day, for what is written down, and to place a run's deadlines when the work on it begins.
    ///   - random: where ids and jitter come from; cryptographically secure outside of tests, and copies of it must not
    ///     repeat each other.
    ///   - logger: for what helps to find a fault; no names and no payloads.
    ///   - observe: is told about progress, four times a second at most and at the end; must return at once.
    ///   - observeStaging: is told, before that, how far the audience is on its way into the store; must return at once.
    ///   - observeLock: is told, again and again, that another process works on a campaign; must return at once.
    package init(
        ledger: any RunLedger, sender: any PushSender, lock: any CampaignLock,
        process: WorkerProcess? = nil, patience: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        logger: Logger, observe: @escaping @Sendable (RunProgress) -> Void = { _ in },
        observeStaging: @escaping @Sendable (AudienceProgress) -> Void = { _ in },
        observeLock: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.sender = sender
        self.lock = lock
        self.process = process
        self.patience = patience
        self.clock = clock
        self.now = now
        self.random = random
        self.logger = logger
        self.observe = observe
        self.observeStaging = observeStaging
        self.observeLock = observeLock
    }

    /// Begins a run or continues it.
    ///
    /// - Parameters:
    ///   - request: what to run.
    ///   - audience: whom it goes to, as planned; nil when it was to go on with what is staged.
    /// - Throws: ``RunError``; what the ledger and the lock throw; `CancellationError` when the task is cancelled before
    ///   anything is sent.
    package func run(_ request: RunRequest, to audience: PlannedAudience?) async throws
        -> RunSummary
    {
        let held = try await hold(request.campaign.name)
        defer { held.release() }
        let steady = SteadyTime(clock, from: now())
        // The plan was made without the lock: only what is read now is certain.
        let step = try await RunStep(for: request, in: ledger)
        try step.requireSame(request.plan)
        switch step {
        case .begin:
            let run = try await begin(request, to: audience, by: steady)
            return try await send(run, by: steady)
        case .stage(let found):
            let run = try await begin(request, to: audience, replacing: found, by: steady)
            return try await send(run, by: steady, warnings: continuation(of: found, for: request))
        case .proceed(let found) where request.isUnattended && found.waitsForPerson:
            throw RunError.waits(found.id)
        case .proceed(let found):
            let warnings =
                continuation(of: found, for: request) + changes(from: found, to: request.campaign)
            let run = try await proceed(found, with: request.campaign.delivery)
            return try await send(run, by: steady, warnings: warnings)
        case .leaveFinished(let found):
            return try await summarize(
                found, changed: found.changedKeys(in: request.campaign))
        case .refuseStopped(let found):
            throw RunError.stopped(found.id)
        case .refuseUnfinished(let other):
            throw RunError.unfinished(
                other.id, campaign: other.campaign, state: other.state,
                left: try await ledger.outcomes(other.id)[.notAttempted])
        }
    }

    /// Continues a run that was stopped, paused or ended by a crash; its audience and payloads are those it was staged with.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - hub: the hub that the sender reaches; a run is never continued on another than its own.
    ///   - campaign: the campaign file as it is now, of which only `delivery` is taken; nil: the run keeps its own.
    /// - Throws: ``RunError``; what ledger and lock throw.
    package func resume(
        _ id: RunID, at hub: HubIdentity, campaign: Campaign? = nil
    ) async throws -> RunSummary {
        guard let known = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        let held = try await hold(known.campaign)
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
                found, changed: campaign.map { found.changedKeys(in: $0) } ?? [])
        case .staging:
            throw RunError.notStaged(id, campaign: found.campaign)
        case .stopped, .paused, .running, .waiting:
            try await ledger.clearStopRequest(id)
            let run = try await proceed(found, with: campaign?.delivery ?? found.delivery)
            return try await send(
                run, by: steady, warnings: campaign.map { changes(from: found, to: $0) } ?? [])
        }
    }

    /// Takes part in a run that is `running`, with whoever works on it; one that nobody works on is verified and goes on.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - hub: the hub that the sender reaches.
    /// - Returns: how it ended; nil: it is not `running`, or somebody decides about it at this moment.
    /// - Throws: ``RunError``; what ledger and lock throw; `CancellationError` when the task is cancelled before it takes part.
    package func takePart(in id: RunID, at hub: HubIdentity) async throws -> RunSummary? {
        guard let found = try await ledger.run(id), found.state == .running else { return nil }
        guard found.hub == hub else {
            throw RunError.otherHub(id, begun: found.hub, configured: hub)
        }
        return nil
    }

    /// Takes the lock of a campaign, after waiting for it as long as there is patience.
    private func hold(_ campaign: String) async throws -> any HeldCampaignLock {
        let timeline = Timeline(clock)
        while true {
            if let held = try await lock.acquire(campaign: campaign) { return held }
            guard timeline.now < patience else { throw RunError.locked(campaign: campaign) }
            observeLock(campaign)
            try await timeline.sleep(until: min(patience, timeline.now + Self.lockInterval))
        }
    }

    // MARK: Staging

    /// Writes a run down and stages it.
    ///
    /// - Parameters:
    ///   - request: what to run.
    ///   - audience: whom it goes to; nil when the run that was to be continued is gone.
    ///   - found: the run whose staging was interrupted and which is staged again; nil for a new run.
    ///   - steady: the time of day, by which the run starts.
    /// - Returns: the run, staged.
    /// - Throws: as ``run(_:to:)``.
    private func begin(
        _ request: RunRequest, to audience: PlannedAudience?, replacing found: RunRecord? = nil,
        by steady: SteadyTime
    ) async throws -> RunRecord {
        let timeline = Timeline(clock)
        let campaign = request.campaign
        guard let audience else { throw RunError.runIsGone(campaign: campaign.name) }
        guard audience.plan.faults.isEmpty else {
            throw RunError.refused(campaign: campaign.name, audience.plan.faults)
        }
        if let rest = audience.rest, !rest.isFallback {
            // Planned without the lock: another process may have sent that rest meanwhile.
            let sendings = try await Sendings(of: campaign.name, at: request.hub, in: ledger)
            guard sendings.lastFinished?.id == rest.run else {
                throw RunError.restIsGone(campaign: campaign.name, of: rest.run)
            }
        }
        var generator = random
        let start = steady.now
        let id = found?.id ?? RunID.make(startingAt: start, using: &generator)
        var occurrence = found?.occurrence
        if case .fallback(let parent) = request.mode {
            let next = try await ledger.nextFallback(of: parent, for: request, at: start)
            occurrence = occurrence ?? next
        }
        if occurrence == nil, request.mode == .again,
            try await Sendings(of: campaign.name, at: request.hub, in: ledger)
                .areNone(besides: campaign.ownOccurrence)
        {
            // A later `run` without `--again` has to find that it was sent.
            occurrence = campaign.ownOccurrence
        }
        var run = newRecord(request, id: id, occurrence: occurrence, start: start)
        if audience.rest != nil { run.platforms = audience.plan.platforms.map(\.platform) }
        if found != nil { try await ledger.clearStaging(id) }
        try await ledger.begin(run, expecting: audience.plan.counts.final)
        let logger = logger.of(id)
        logger.info("Staging a run")
        let waves = try await settleTurns(of: run, by: campaign.schedule, in: audience)
        try await RunStager(ledger: ledger, observe: observeStaging).stage(
            id, payload: campaign.payload, platforms: run.platforms, audience: audience,
            waves: waves, using: &generator)
        logger.info(
            "Staged a run",
            metadata: [
                "recipients": "\(audience.plan.counts.final)",
                "seconds-staging": "\(timeline.now / .seconds(1))",
            ])
        if case .fallback(let parent) = request.mode {
            try await ledger.noteFallback(of: parent.id, requests: parent.requests)
        }
        guard let staged = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        return staged
    }

    /// Settles whose turn is when, and puts the audience into that order.
    ///
    /// - Returns: the run's waves, written down; empty where everybody's turn is at once.
    private func settleTurns(
        of run: RunRecord, by schedule: Schedule?, in audience: PlannedAudience
    ) async throws -> [RunWave] {
        guard let turns = audience.turns else { return [] }
        // Read with the lock held: a run that was planned beside this one may have ended meanwhile.
        let earlier =
            turns.isDaily
            ? try await EarlierTurns(
                of: run.campaign, at: run.hub, in: ledger, before: run.started) : .none
        let groups = turns.groups(
            from: AudienceTurns.start(of: run, by: schedule), through: run.expires,
            besides: earlier)
        let waves = turns.waves(of: groups)
        let staged = waves.last?.recipients.upperBound ?? 0
        guard staged == audience.plan.counts.final else {
            throw RunError.audienceChanged(planned: audience.plan.counts.final, staged: staged)
        }
        try await turns.arrange(groups)
        try await ledger.store(waves, of: run.id)
        return waves
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
            case .fallback(let parent): .fallback(of: parent.id, number: 1)
            }
        var expires = start.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
        if case .fallback(let parent) = request.mode { expires = min(expires, parent.expires) }
        return RunRecord(
            id: id, campaign: campaign.name, hub: request.hub, occurrence: occurrence ?? own,
            isRehearsal: request.mode == .rehearsal, state: .staging, kind: campaign.kind,
            platforms: campaign.platforms, isMessagePrivate: campaign.payload.isMessagePrivate,
            pushOptions: campaign.payload.pushOptions, campaignPath: request.campaignPath,
            delivery: campaign.delivery,
            fingerprints: campaign.fingerprints, started: start,
            expires: expires, plan: request.plan)
    }

    // MARK: Continuing

    /// Marks a staged run as `running` again.
    ///
    /// It is verified first: what was damaged since it was written would go to the wrong people, or to the right ones twice.
    private func proceed(_ found: RunRecord, with delivery: DeliveryPolicy) async throws
        -> RunRecord
    {
        try await ledger.verify(found.id)
        var run = found
        let delivery = run.occurrence.fallbackOf == nil ? delivery : delivery.ofFallback
        if run.delivery != delivery {
            try await ledger.setDelivery(delivery, of: run.id)
            run.delivery = delivery
        }
        try await ledger.setState(.running, reason: nil, of: run.id, at: now())
        logger.of(run.id).info("Continuing a run")
        return run
    }

    /// A warning that an unfinished run goes on, though a new one was asked for.
    private func continuation(of found: RunRecord, for request: RunRequest) -> [String] {
        switch request.mode {
        case .occurrence, .rehearsal, .fallback:
            []
        case .again, .rest:
            [
                "Run \(found.id) of campaign \(found.campaign) is not finished, so it is continued; "
                    + "no new one was begun."
            ]
        }
    }

    private func changes(from run: RunRecord, to campaign: Campaign) -> [String] {
        let changed = run.changedKeys(in: campaign)
        guard !changed.isEmpty else { return [] }
        let named = changed.joined(separator: ", ")
        return [
            "Campaign \(run.campaign) was changed after run \(run.id) was staged (\(named)); the run "
                + "goes on with what was staged, and takes only `delivery` from the file."
        ]
    }

    // MARK: Sending

    /// Sends what a run has left.
    ///
    /// The work has a task of its own, which is never cancelled, so that what happened is still written down when this one
    /// is; the cancellation reaches it as an event.
    private func send(
        _ run: RunRecord, by steady: SteadyTime, warnings: [String] = []
    ) async throws -> RunSummary {
        let events = EventQueue<RunEvent>()
        let work = Task {
            var engine = RunEngine(
                run: run, waves: try await ledger.waves(run.id),
                outcomes: try await ledger.outcomes(run.id), ledger: ledger, sender: sender,
                timeline: Timeline(clock), now: now, steady: steady, random: random,
                events: events, logger: logger, observe: observe)
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

    /// The summary of a run that was found finished.
    ///
    /// The run is verified first, so that damage is reported and not passed on.
    private func summarize(
        _ found: RunRecord, changed: [String]
    ) async throws -> RunSummary {
        try await ledger.verify(found.id)
        return RunSummary(
            record: found, outcomes: try await ledger.outcomes(found.id), result: .alreadyFinished,
            changed: changed)
    }
}
