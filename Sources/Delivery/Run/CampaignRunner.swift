package import CampaignCore
package import FoundationEssentials
package import Logging

/// Runs a campaign until every delivery has a recorded outcome.
///
/// One process at a time decides what to do with a campaign; it then works alone or with other
/// processes that join. If the task is cancelled, no new work starts, results in flight are
/// recorded, and the run is `paused` unless other processes continue it.
package struct CampaignRunner: Sendable {
    /// The minimum time to wait for the lock if processes share the work, because then the lock is
    /// usually held only briefly.
    private static let lockPatience: Duration = .seconds(5)

    let ledger: any RunLedger
    let sender: any PushSender
    let lock: any CampaignLock
    let logger: Logger
    /// This process's identity in shared runs; nil if it works alone.
    package var process: WorkerProcess?
    /// How long to wait for another process that works on the campaign.
    package var patience: Duration = .zero
    package var clock: any Clock<Duration> = ContinuousClock()
    package var now: @Sendable () -> Date = { Date() }
    /// The source of IDs and jitter.
    ///
    /// Outside tests, it must be cryptographically secure, and copies of it must not produce the
    /// same numbers.
    package var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// Called up to four times a second and at the end; must return immediately, like the other
    /// observers.
    package var observe: @Sendable (RunProgress) -> Void = { _ in }
    package var observeStaging: @Sendable (AudienceProgress) -> Void = { _ in }
    package var observeLock: @Sendable (String) -> Void = { _ in }

    package init(
        ledger: any RunLedger, sender: any PushSender, lock: any CampaignLock, logger: Logger
    ) {
        self.ledger = ledger
        self.sender = sender
        self.lock = lock
        self.logger = logger
    }

    /// Starts or continues a run.
    ///
    /// - Parameter audience: the planned audience; nil to continue a staged run.
    package func run(_ request: RunRequest, to audience: PlannedAudience?) async throws
        -> RunSummary
    {
        try await decide(request.campaign.name, isAlone: request.mode == .rehearsal) {
            try await prepare(request, to: audience, by: $0)
        } joining: {
            guard !request.isUnattended else { return .none(patience) }
            let step = try await RunStep(for: request, in: ledger)
            try step.requireSame(request.plan)
            switch step {
            case .proceed(let found) where found.state == .running:
                return .run(
                    found.id,
                    warnings: continuation(of: found, for: request)
                        + changes(from: found, to: request.campaign, isJoined: true))
            case .stage: return .none(nil)
            default: return .none(max(patience, Self.lockPatience))
            }
        }
    }

    private enum Prepared {
        case send(RunRecord, warnings: [String])
        case done(RunSummary)
    }

    private enum Joining {
        case run(RunID, warnings: [String])
        /// There is nothing to join now; the value is how long to wait for the lock, or nil for no
        /// limit.
        case none(Duration?)
    }

    /// Decides what to do while holding the lock, or joins processes that have already decided;
    /// then sends.
    private func decide(
        _ campaign: String, isAlone: Bool, _ prepare: (RunSending) async throws -> Prepared,
        joining: () async throws -> Joining
    ) async throws -> RunSummary {
        let shared = isAlone ? nil : try await sharedSending()
        let timeline = Timeline(clock)
        while true {
            if let held = try await lock.acquire(campaign: campaign) {
                defer { held.release() }
                // The clock of a process that works alone starts now, because it may have waited a
                // long time.
                let sending = shared ?? RunSending(self)
                switch try await prepare(sending) {
                case .done(let summary): return summary
                case .send(let run, let warnings):
                    guard let joined = try await sending.join(run.id, holding: held) else {
                        throw RunError.locked(campaign: campaign)
                    }
                    // From here on, other processes may join.
                    if !sending.isAlone { held.release() }
                    return try await sending.send(joined, warnings: warnings)
                }
            }
            var limit: Duration? = patience
            if let shared {
                switch try await joining() {
                case .run(let id, let warnings):
                    if let joined = try await shared.join(id) {
                        return try await shared.send(joined, warnings: warnings)
                    }
                    limit = nil
                case .none(let patience): limit = patience
                }
            }
            let now = timeline.now
            if let limit, now >= limit { throw RunError.locked(campaign: campaign) }
            observeLock(campaign)
            let next = now + RunSending.interval
            try await timeline.sleep(until: min(limit ?? next, next))
        }
    }

    /// Returns nil if this process works alone.
    private func sharedSending() async throws -> RunSending? {
        guard let process, let sharing = ledger.sharing else { return nil }
        return try await RunSending(self, with: sharing, as: process)
    }

    /// Decides what to do while holding the lock, and starts the run or marks it as `running`.
    private func prepare(
        _ request: RunRequest, to audience: PlannedAudience?, by sending: RunSending
    ) async throws -> Prepared {
        // The audience was planned without the lock, so only what is read now is reliable.
        let step = try await RunStep(for: request, in: ledger)
        try step.requireSame(request.plan)
        switch step {
        case .begin:
            return .send(try await begin(request, to: audience, by: sending.steady), warnings: [])
        case .stage(let found):
            let run = try await begin(
                request, to: audience, replacing: found, by: sending.steady)
            return .send(run, warnings: continuation(of: found, for: request))
        case .proceed(let found) where request.isUnattended && found.waitsForPerson:
            throw RunError.waits(found.id)
        case .proceed(let found):
            return try await proceed(
                found, with: request.campaign, by: sending,
                warnings: continuation(of: found, for: request))
        case .leaveFinished(let found):
            return try await done(found, request.campaign)
        case .refuseStopped(let found):
            throw RunError.stopped(found.id)
        case .refuseUnfinished(let other):
            throw RunError.unfinished(
                other.id, campaign: other.campaign, state: other.state,
                left: try await ledger.outcomes(other.id)[.notAttempted])
        }
    }

    /// Continues a stopped, paused or crashed run with the audience and payloads that were staged.
    ///
    /// - Parameter campaign: only its `delivery` is used; if nil, the run keeps its delivery
    ///   policy.
    package func resume(
        _ id: RunID, at hub: HubIdentity, campaign: Campaign? = nil
    ) async throws -> RunSummary {
        let known = try await ledger.record(of: id)
        return try await decide(known.campaign, isAlone: known.isRehearsal) { sending in
            // Only a state that is read while holding the lock is reliable.
            let found = try await record(of: id, at: hub)
            switch found.state {
            case .finished: return try await done(found, campaign)
            case .staging: throw RunError.notStaged(id, campaign: found.campaign)
            case .stopped, .paused, .running, .waiting:
                try await ledger.clearStopRequest(id)
                return try await proceed(found, with: campaign, by: sending)
            }
        } joining: {
            let found = try await record(of: id, at: hub)
            // Processes that were asked to stop must stop first.
            guard found.state == .running, try await ledger.stopRequest(id) == nil else {
                return .none(max(patience, Self.lockPatience))
            }
            return .run(
                id,
                warnings: campaign.map { changes(from: found, to: $0, isJoined: true) } ?? [])
        }
    }

    private func proceed(
        _ found: RunRecord, with campaign: Campaign?, by sending: RunSending,
        warnings: [String] = []
    ) async throws -> Prepared {
        let run = try await ledger.proceed(
            found, with: campaign?.delivery ?? found.delivery, at: sending.now(), logger)
        return .send(
            run, warnings: warnings + (campaign.map { changes(from: found, to: $0) } ?? []))
    }

    /// The summary of a finished run; the run is verified first, so that no damaged data is
    /// reported.
    private func done(_ found: RunRecord, _ campaign: Campaign?) async throws -> Prepared {
        try await ledger.verify(found.id)
        return .done(
            RunSummary(
                record: found, outcomes: try await ledger.outcomes(found.id),
                result: .alreadyFinished,
                changed: campaign.map { found.changedKeys(in: $0) } ?? []))
    }

    /// Reads a run and checks that it was started on the sender's hub.
    private func record(of id: RunID, at hub: HubIdentity) async throws -> RunRecord {
        let found = try await ledger.record(of: id)
        try require(hub, of: found)
        return found
    }

    private func require(_ hub: HubIdentity, of run: RunRecord) throws {
        guard run.hub == hub else {
            throw RunError.otherHub(run.id, begun: run.hub, configured: hub)
        }
    }

    /// Joins a `running` run; verifies it first if no process works on it.
    ///
    /// Returns nil if it is not `running`, or this process cannot share runs.
    package func takePart(in id: RunID, at hub: HubIdentity) async throws -> RunSummary? {
        guard let shared = try await sharedSending() else { return nil }
        let timeline = Timeline(clock)
        while true {
            guard let found = try await ledger.run(id), found.state == .running,
                !found.isRehearsal
            else { return nil }
            try require(hub, of: found)
            if let joined = try await shared.joinVerified(found) {
                return try await shared.send(joined)
            }
            // Another process is deciding what to do with the run.
            try await timeline.sleep(until: timeline.now + RunSending.interval)
        }
    }

    // MARK: Staging

    /// Stages a run.
    ///
    /// `audience` is nil if the run to continue no longer exists; `found` is a run whose staging
    /// was interrupted.
    private func begin(
        _ request: RunRequest, to audience: PlannedAudience?, replacing found: RunRecord? = nil,
        by steady: SteadyTime
    ) async throws -> RunRecord {
        let timeline = Timeline(clock)
        let campaign = request.campaign
        guard let audience else { throw RunError.runIsGone(campaign: campaign.name) }
        guard audience.plan.problems.isEmpty else {
            throw RunError.refused(campaign: campaign.name, audience.plan.problems)
        }
        if let unreached = audience.unreached, !unreached.isFallback {
            // The follow-up run was planned without the lock, so another process may have sent it
            // since.
            let last = try await ledger.lastFinished(of: campaign.name, at: request.hub)
            guard last?.id == unreached.run else {
                throw RunError.followUpIsOutdated(campaign: campaign.name, of: unreached.run)
            }
        }
        var generator = random
        let start = steady.now
        let id = found?.id ?? RunID.make(startingAt: start, using: &generator)
        let occurrence = try await occurrence(of: id, as: request, at: start)
        var run = newRecord(
            request, id: id, occurrence: found?.occurrence ?? occurrence, start: start)
        if audience.unreached != nil { run.platforms = audience.plan.platforms.map(\.platform) }
        if found != nil { try await ledger.clearStaging(id) }
        try await ledger.begin(run, expecting: audience.plan.counts.final)
        let logger = logger.of(id)
        logger.info("Staging a run")
        let waves = try await settleTurns(of: run, by: campaign.schedule, in: audience)
        do {
            try await stage(
                run, payload: campaign.payload, audience: audience, waves: waves,
                using: &generator)
        } catch let error as MissingVariable {
            throw RunError.unrenderable(variable: error.name)
        }
        logger.info(
            "Staged a run",
            metadata: [
                "recipients": "\(audience.plan.counts.final)",
                "seconds-staging": "\(timeline.now / .seconds(1))",
            ])
        if case .fallback(let parent) = request.mode {
            try await ledger.noteFallback(of: parent.id, requests: parent.requests)
        }
        return try await ledger.record(of: id)
    }

    /// Determines the waves and sorts the audience by them; returns none if everybody is sent to at
    /// once.
    private func settleTurns(
        of run: RunRecord, by schedule: Schedule?, in audience: PlannedAudience
    ) async throws -> [RunWave] {
        guard let windows = audience.windows else { return [] }
        // This is read while holding the lock, because a run that was planned at the same time may
        // have ended since.
        let earlier =
            windows.isDaily
            ? try await ledger.earlierSendTimes(of: run.campaign, at: run.hub, before: run.started)
            : [:]
        let groups = windows.groups(
            from: AudienceWindows.start(of: run, by: schedule), through: run.expires,
            besides: earlier)
        let waves = windows.waves(of: groups)
        let staged = waves.last?.recipients.upperBound ?? 0
        guard staged == audience.plan.counts.final else {
            throw RunError.audienceChanged(planned: audience.plan.counts.final, staged: staged)
        }
        try await windows.arrange(groups)
        try await ledger.store(waves, of: run.id)
        return waves
    }

    /// The occurrence of a new run; throws if the run that a fallback follows has changed since
    /// planning.
    private func occurrence(
        of id: RunID, as request: RunRequest, at start: Date
    ) async throws -> Occurrence {
        switch request.mode {
        case .occurrence(let occurrence): return occurrence
        case .followUp: return .followUp(id)
        case .rehearsal: return .rehearsal(id)
        case .fallback(let parent):
            return try await ledger.nextFallback(of: parent, for: request, at: start)
        case .again:
            // A later `run` without `--again` must recognise that the campaign was sent.
            let isFirst = try await ledger.hasNone(of: request.campaign, at: request.hub)
            return isFirst ? request.campaign.ownOccurrence : .again(id)
        }
    }

    private func newRecord(
        _ request: RunRequest, id: RunID, occurrence: Occurrence, start: Date
    ) -> RunRecord {
        let campaign = request.campaign
        var expires = start.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
        if case .fallback(let parent) = request.mode { expires = min(expires, parent.expires) }
        return RunRecord(
            id: id, campaign: campaign.name, hub: request.hub, occurrence: occurrence,
            isRehearsal: request.mode == .rehearsal, state: .staging, kind: campaign.kind,
            platforms: campaign.platforms, isMessagePrivate: campaign.payload.isMessagePrivate,
            pushOptions: campaign.payload.pushOptions, campaignPath: request.campaignPath,
            delivery: campaign.delivery,
            fingerprints: campaign.fingerprints, started: start,
            expires: expires, plan: request.plan, starter: request.starter)
    }

    // MARK: Continuing

    /// Warns that an unfinished run continues although a new one was requested.
    private func continuation(of found: RunRecord, for request: RunRequest) -> [String] {
        switch request.mode {
        case .occurrence, .rehearsal, .fallback:
            []
        case .again, .followUp:
            [
                "Run \(found.id) of campaign \(found.campaign) is not finished and will be continued; "
                    + "no new run was started."
            ]
        }
    }

    /// Warns about changes of a campaign file since staging.
    ///
    /// - Parameter isJoined: whether other processes work on the run, so that its policy cannot
    ///   change.
    private func changes(
        from run: RunRecord, to campaign: Campaign, isJoined: Bool = false
    ) -> [String] {
        var changed = run.changedKeys(in: campaign)
        let delivery =
            run.occurrence.fallbackOf == nil ? campaign.delivery : campaign.delivery.ofFallback
        if isJoined, run.delivery != delivery { changed.append("delivery") }
        guard !changed.isEmpty else { return [] }
        let named = changed.joined(separator: ", ")
        return [
            "Campaign \(run.campaign) was changed after run \(run.id) was staged (\(named)). The run "
                + (isJoined
                    ? "continues unchanged, because other processes work on it too."
                    : "continues with what was staged; only `delivery` is taken from the file.")
        ]
    }
}

extension RunLedger {
    /// Marks a staged run as `running` again.
    ///
    /// The run is verified first, because a damaged run could reach the wrong people or reach
    /// people twice.
    func proceed(
        _ found: RunRecord, with delivery: DeliveryPolicy, at time: Date, _ logger: Logger
    ) async throws -> RunRecord {
        try await verify(found.id)
        var run = found
        let delivery = run.occurrence.fallbackOf == nil ? delivery : delivery.ofFallback
        if run.delivery != delivery {
            try await setDelivery(delivery, of: run.id)
            run.delivery = delivery
        }
        try await setState(.running, reason: nil, of: run.id, at: time)
        logger.of(run.id).info("Continuing a run")
        return run
    }
}
