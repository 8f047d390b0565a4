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

    let ledger: any RunLedger
    let sender: any PushSender
    let lock: any CampaignLock
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger
    let observe: @Sendable (RunProgress) -> Void
    let observeStaging: @Sendable (AudienceProgress) -> Void

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
    func summarize(
        _ found: RunRecord, _ warnings: [String] = [], changed: [String]
    ) async throws -> RunSummary {
        try await ledger.verify(found.id)
        return RunSummary(
            record: found, outcomes: try await ledger.outcomes(found.id), end: .alreadyFinished,
            warnings: warnings, changed: changed)
    }

    /// Takes the lock of a campaign.
    func hold(_ campaign: String) throws -> any HeldCampaignLock {
        guard let held = try lock.acquire(campaign: campaign) else {
            throw RunError.locked(campaign: campaign)
        }
        return held
    }

    /// Marks a staged run as `running` again.
    ///
    /// Another process has written it, and what was damaged since then would go to the wrong people, or to the right ones twice.
    func proceed(_ found: RunRecord, with delivery: DeliveryPolicy) async throws -> RunRecord {
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
    func send(
        _ run: RunRecord, by steady: SteadyTime, warnings: [String]
    ) async throws -> RunSummary {
        let mailbox = Mailbox<RunEvent>()
        let work = Task {
            var engine = RunEngine(
                run: run, ledger: ledger, sender: sender, timeline: Timeline(clock), now: now,
                steady: steady, random: random,
                onUnknown: run.delivery.onUnknown ?? .standard(for: run.kind),
                mailbox: mailbox,
                logger: logger, observe: observe)
            return try await engine.work()
        }
        let (record, outcomes, end) = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            mailbox.post(.cancelled)
        }
        return RunSummary(record: record, outcomes: outcomes, end: end, warnings: warnings)
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
    static func isUnsent(
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
    func changedKeys(from run: RunRecord, to campaign: Campaign) -> [String] {
        Set(run.fingerprints.keys).union(campaign.fingerprints.keys).filter {
            $0 != "delivery" && run.fingerprints[$0] != campaign.fingerprints[$0]
        }.sorted()
    }

    func changes(from run: RunRecord, to campaign: Campaign) -> [String] {
        let changed = changedKeys(from: run, to: campaign)
        guard !changed.isEmpty else { return [] }
        let named = changed.joined(separator: ", ")
        return [
            "Campaign \(run.campaign) was changed after run \(run.id) was staged (\(named)); the run "
                + "goes on with what was staged, and takes only `delivery` from the file."
        ]
    }
}
