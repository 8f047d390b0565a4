import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging
import NotificationHubs
import Storage

/// Does what `run` and `resume` ask for: plans everything, then sends run by run up to the report.
struct RunBatch: Sendable {
    /// How often to check whether another host has staged a run.
    private static let lookInterval: Duration = .milliseconds(250)
    /// The most people whose devices a hub on this machine is asked about.
    private static let mostAskedAbout = 1_000

    let settings: EffectiveSettings
    private let asks: Bool
    private let isNow: Bool
    private let patience: Duration
    let output: RunOutput
    let logger: Logger
    let watch: RunWatch?

    init(
        settings: EffectiveSettings, asks: Bool, isNow: Bool = false, patience: Duration = .zero,
        output: RunOutput, logger: Logger, watch: RunWatch? = nil
    ) {
        self.settings = settings
        self.asks = asks
        self.isNow = isNow
        self.patience = patience
        self.output = output
        self.logger = logger
        self.watch = watch
    }

    // MARK: What the executable does with it: read or look up, connect to the hub, send

    /// Campaign files without findings of their own, and their hub.
    struct Campaigns: Sendable {
        let hub: HubChoice
        fileprivate let sources: [CampaignSource]
    }

    /// Reads campaigns in order; their audiences come later.
    ///
    /// - Throws: ``FindingsShown`` after findings were printed; errors that concern all of them.
    func read(_ paths: [String]) async throws -> Campaigns {
        try settings.requireStorePlace()
        var sources: [CampaignSource] = []
        for path in paths {
            sources.append(try await CampaignSource(path: path, settings: settings))
        }
        // The hub comes last: a typo in a path is the error, not what its folder lacks.
        let hub = try settings.requiredHub()
        try check(sources)
        watch?.expect(sources.compactMap(\.campaign?.name))
        return Campaigns(hub: hub, sources: sources)
    }

    /// Sends campaigns.
    func run(
        _ campaigns: Campaigns, as mode: RunRequest.Mode, rehearsal: Rehearsal?,
        keepingTo saved: OpenedPlan? = nil, at connection: HubConnection
    ) async throws -> [CampaignEnd] {
        try settings.requireStorePlace(for: connection)
        // No store is made if the campaigns are refused.
        let options = try await settings.storeOptions(
            for: campaigns.sources.compactMap(\.loaded.campaign?.kind), clearing: output.bar,
            logger: logger)
        let known =
            await settings.store.isThere() ? try await settings.store.open(options) : nil
        let runs = try await plan(
            campaigns.sources, as: mode, rehearsal: rehearsal, keepingTo: saved,
            at: connection.identity, in: known)
        let pending = runs.filter(\.isPending)
        if !pending.isEmpty {
            try await known?.requirePayloadKey(for: pending.map(\.request.campaign.kind))
            try warn(of: pending)
        }
        try await ask(
            pending.map(\.sentence), before: pending.compactMap(\.ahead), keepingTo: saved,
            connection)
        let store = if let known { known } else { try await settings.store.open(options) }
        if known == nil, !connection.isLoopback { output.sayNew(store.place, at: nil) }
        let ends = await watched(unless: pending.isEmpty) {
            await send(runs, at: connection, in: store)
        }
        try store.close()
        return ends
    }

    /// Looks up a run that was stopped or interrupted.
    func unfinished(_ reference: RunReference) async throws -> RunRecord {
        let reader = try await settings.store.openForReading()
        let record = try await reference.unfinished(in: reader)
        try reader.close()
        return record
    }

    /// Continues a run that was stopped or interrupted.
    func resume(
        _ record: RunRecord, at connection: HubConnection
    ) async throws -> [CampaignEnd] {
        if record.isRehearsal { watch?.mute() }
        watch?.expect([record.campaign])
        guard record.hub == connection.identity else {
            throw try await otherHub(of: record, than: connection.identity)
        }
        try settings.requireStorePlace(for: connection)
        let campaign = CampaignSource.reread(of: record, settings: settings)
        if record.state != .finished {
            try warn(of: (campaign?.diagnostics ?? []).filter { $0.severity != .error })
            let pushes = Figures.count(record.deliveries, "push", "pushes")
            try await ask(
                ["\(record.campaign): continue run \(record.id), \(pushes) in all"], connection)
        }
        let store = try await settings.store.open(
            try await settings.storeOptions(
                for: [record.kind], clearing: output.bar, logger: logger))
        if record.state != .finished { try await store.requirePayloadKey(for: [record.kind]) }
        let ends = await watched(unless: record.state == .finished) {
            await output.reporting {
                try await send(
                    .resume(record, campaign: campaign?.campaign ?? campaign?.withoutFiles),
                    at: connection, in: store)
            }
        }
        try store.close()
        return ends
    }

    // MARK: Planning

    /// Refuses campaigns whose files have findings, and prints those of all campaigns together.
    ///
    /// Missing files are judged later: only the store knows whether they are needed.
    private func check(_ sources: [CampaignSource]) throws {
        let whole = sources.filter { $0.loaded.withoutFiles == nil }
        let faults = whole.flatMap(\.loaded.diagnostics)
        let lacks = faults.hasErrors ? sources.flatMap(\.loaded.diagnostics) : faults
        try refuse(settings.configWarnings + lacks)
        let names = sources.compactMap(\.campaign?.name)
        guard Set(names).count == names.count else {
            throw OperationFault.sameCampaignTwice
        }
    }

    /// Plans the audiences of campaigns that must be staged; the others use what was staged.
    ///
    /// - Throws: ``FindingsShown`` after the findings of all campaigns were printed together.
    private func plan(
        _ sources: [CampaignSource], as mode: RunRequest.Mode, rehearsal: Rehearsal?,
        keepingTo saved: OpenedPlan?, at hub: HubIdentity, in store: (any Store)?
    ) async throws -> [PlannedRun] {
        // The next message gets a line of its own.
        defer { output.bar.clear() }
        var runs: [PlannedRun] = []
        var faults: [Diagnostic] = []
        for source in sources {
            guard let campaign = source.campaign else { continue }
            try saved?.requireCampaign(campaign.name)
            let request = request(
                for: campaign, of: source, as: mode, at: hub, keepingTo: saved)
            let (run, found) = try await plan(
                request, of: source, rehearsal: rehearsal, keepingTo: saved, in: store)
            runs.append(run)
            faults += found
        }
        output.bar.clear()
        try refuse(faults)
        return runs
    }

    private func request(
        for campaign: Campaign, of source: CampaignSource, as mode: RunRequest.Mode,
        at hub: HubIdentity, keepingTo saved: OpenedPlan? = nil
    ) -> RunRequest {
        let path = source.loaded.path
        return RunRequest(
            campaign: campaign, hub: hub, mode: mode,
            campaignPath: path == "-" ? "-" : settings.invocation.absolute(path), plan: saved?.id,
            starter: settings.invocation.starter)
    }

    /// - Returns: the run, and the findings of its people; with errors, it must not be sent.
    private func plan(
        _ request: RunRequest, of source: CampaignSource, rehearsal: Rehearsal?,
        keepingTo saved: OpenedPlan?, in store: (any Store)?
    ) async throws -> (run: PlannedRun, faults: [Diagnostic]) {
        let maker = saved?.maker(of: request.campaign, in: source.loaded, settings: settings)
        let step = try await step(for: request, in: store)
        do throws(RunError) {
            try step.requireSame(saved?.id)
        } catch {
            guard case .otherPlan(let id, campaign: _, begun: _, asked: _) = error else {
                throw error
            }
            throw ErrorWithRemedy(
                cause: error, remedy: "To continue it: \(settings.command("resume", id.text))")
        }
        if !step.sends { try saved?.requireSending(request.mode) }
        var run = PlannedRun(request: request, step: step, warnings: source.loaded.diagnostics)
        if source.loaded.campaign == nil {
            // The files existed when the run was staged, and are not needed now.
            if step.stagesAudience {
                if let store, !request.isUnattended {
                    try await output.mentionElsewhere(request, in: store)
                }
                return (run, source.loaded.diagnostics)
            }
            run.warnings.removeAll { $0.severity == .error }
        }
        if step.stagesAudience {
            run.ahead = try await ScheduleAhead(request, in: store, now: Date())
        }
        if case .proceed(let found) = step, let store {
            run.company = try await PlannedRun.Company(on: found, in: store)
        }
        if step.stagesAudience {
            let choice = try await PeopleChoice(request, rehearsal: rehearsal, in: store)
            let checked = try await source.check(
                for: choice, as: request.isFallback ? request.campaign : nil,
                with: .kept(store, at: request.hub), visit: maker?.tally.add,
                observe: output.bar.update)
            run.audience = checked.planned
            run.warnings = checked.findings
            run.unknownRuns = checked.unknownRuns
            let faults = checked.findings.filter { $0.severity == .error }
            guard faults.isEmpty else { return (run, faults) }
        }
        if let saved, let maker, step.sends, run.audience != nil || !step.stagesAudience {
            let begun: RunID? = if case .proceed(let found) = step { found.id } else { nil }
            try saved.check(
                maker, run.audience, continuing: begun, for: request, at: Date(),
                settings: settings)
        }
        return (run, [])
    }

    /// Waits while another host stages the run, since this host may lack the campaign's files.
    private func step(for request: RunRequest, in store: (any Store)?) async throws -> RunStep {
        guard let store else { return .begin }
        while true {
            let step = try await RunStep(for: request, in: store)
            let campaign = request.campaign.name
            guard case .stage = step, store.sharing != nil, !request.isUnattended,
                try await store.isWorkedOn(campaign: campaign)
            else { return step }
            output.sayLocked(campaign)
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    private func refuse(_ findings: [Diagnostic]) throws {
        guard findings.hasErrors else { return }
        try output.refuse(findings.sorted())
        throw FindingsShown()
    }

    private func warn(of findings: [Diagnostic]) throws {
        try output.warn(
            of: settings.configWarnings + findings, isVerbose: logger.logLevel <= .debug)
    }

    /// Warnings about a fallback were printed when its campaign was sent.
    private func warn(of runs: [PlannedRun]) throws {
        let told = canAsk ? runs : runs.filter { !$0.request.isFallback }
        try warn(of: told.flatMap(\.warnings))
        for run in told {
            output.warn(of: run.unknownRuns, for: run.request.campaign.name)
            output.saySkipped(run.audience?.plan.skippedRows ?? 0, of: run.request)
        }
    }

    private func ask(_ lines: [String], _ connection: HubConnection) async throws {
        guard asks else { return }
        try await connection.askForConsent(to: lines, invocation: settings.invocation)
    }

    private var canAsk: Bool {
        settings.invocation.isInputTerminal && settings.invocation.isErrorTerminal
    }

    /// Asks before sending; a sending before its scheduled start is asked about at any hub.
    ///
    /// - Throws: ``SentBeforeStart`` when nobody can be asked about that, ``ConsentRefused``.
    private func ask(
        _ lines: [String], before ahead: [ScheduleAhead], keepingTo saved: OpenedPlan?,
        _ connection: HubConnection
    ) async throws {
        guard ahead.isEmpty || isNow || canAsk else {
            throw SentBeforeStart(ahead, plan: saved?.path, settings)
        }
        guard asks, !ahead.isEmpty, !isNow else {
            if canAsk { for start in ahead { Console.complain(start.notice) } }
            return try await ask(lines, connection)
        }
        let questions = ahead.map { $0.question(naming: lines.count == 1 ? nil : $0.campaign) }
        try await connection.askForConsent(
            to: lines + questions.dropLast(), by: questions.last, invocation: settings.invocation)
    }

    // MARK: What is due

    /// Plans a sending that is due, and that no person asked for.
    ///
    /// - Returns: the run, and the findings of its people; with errors, it must not be sent.
    ///   A fallback for nobody has no run.
    func plan(
        due mode: RunRequest.Mode, of campaign: Campaign, in source: CampaignSource,
        at hub: HubIdentity, in store: any Store
    ) async throws -> (run: PlannedRun?, faults: [Diagnostic]) {
        defer { output.bar.clear() }
        guard let sent = campaign.sent(as: mode, at: Date()) else { return (nil, []) }
        var request = request(for: sent, of: source, as: mode, at: hub)
        request.isUnattended = true
        let (run, faults) = try await plan(
            request, of: source, rehearsal: nil, keepingTo: nil, in: store)
        if case .fallback(let parent) = mode, run.emptyRest != nil {
            // Everybody has fetched or left the audience, so nobody is looked for again. An
            // audience of nobody, or of too few people, is an error instead.
            try await store.noteFallback(of: parent.id, requests: parent.requests)
            return (nil, [])
        }
        return (run, faults)
    }

    /// Prints the warnings, then asks once about all that is due if a person can be asked.
    func confirm(_ runs: [PlannedRun], _ connection: HubConnection) async throws {
        try warn(of: runs)
        try await ask(runs.map(\.sentence), connection)
    }

    /// Sends what is due.
    ///
    /// - Parameter isNews: whether a person has to be told how it ended.
    /// - Returns: how it ended; empty if another process has the run or a person must look.
    func send(
        due run: PlannedRun, at connection: HubConnection, in store: any Store,
        isNews: (RunSummary) async -> Bool
    ) async throws -> [CampaignEnd] {
        let order = Order.run(run.request, run.audience)
        if run.isPending {
            try await store.requirePayloadKey(for: [run.request.campaign.kind])
        }
        do {
            let summary = try await work(order, at: connection, in: store)
            guard summary.result != .alreadyFinished else { return [] }
            return try await conclude(
                summary, of: order, in: store, isTold: await isNews(summary))
        } catch RunError.locked, RunError.waits, RunError.stopped, RunError.runIsGone,
            RunError.fallbackIsGone
        {
            return []
        } catch is CancellationError {
            throw OperationFault.interrupted(campaign: order.campaign)
        }
    }

    // MARK: Sending

    private enum Order: Sendable {
        case run(RunRequest, PlannedAudience?)
        case resume(RunRecord, campaign: Campaign?)

        var campaign: String {
            switch self {
            case .run(let request, _): request.campaign.name
            case .resume(let record, _): record.campaign
            }
        }

        var plan: PlanID? {
            if case .run(let request, _) = self { request.plan } else { nil }
        }

        /// Whether it is a fallback rather than the campaign itself.
        var isFallback: Bool {
            switch self {
            case .run(let request, _): request.isFallback
            case .resume(let record, _): record.occurrence.fallbackOf != nil
            }
        }

        /// Whether the same command again finds the run finished and writes a missing report.
        ///
        /// `run --due` ignores finished runs. `--again` begins another unless a plan forbids it.
        var isFoundFinishedAgain: Bool {
            guard case .run(let request, _) = self else { return true }
            if request.isUnattended { return false }
            if case .occurrence = request.mode { return true }
            return request.plan != nil
        }

        var concurrency: Int {
            switch self {
            case .run(let request, _): request.campaign.delivery.concurrency
            case .resume(let record, let campaign):
                (campaign?.delivery ?? record.delivery).concurrency
            }
        }
    }

    /// Does the work, and tells watchers that it has begun, unless there is nothing to send.
    private func watched(
        unless isIdle: Bool, _ work: () async -> [CampaignEnd]
    ) async -> [CampaignEnd] {
        guard let watch, !isIdle else { return await work() }
        return await watch.during(work)
    }

    /// Sends what was planned, one run after the other.
    private func send(
        _ runs: [PlannedRun], at connection: HubConnection, in store: any Store
    ) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        for (index, run) in runs.enumerated() {
            if Task.isCancelled {
                let names = runs[index...].map(\.request.campaign.name).joined(separator: ", ")
                Console.complain("hubsend: Interrupted; not begun in this call: \(names)")
                ends.append(.interrupted)
                break
            }
            ends += await output.reporting {
                if let rest = run.emptyRest {
                    try await output.sayNobodyIsLeft(of: rest, in: store)
                    return [.done]
                }
                if let joining = run.joining {
                    output.sayJoining(run.request.campaign.name, joining)
                }
                return try await send(
                    .run(run.request, run.audience), at: connection, in: store)
            }
        }
        return ends
    }

    /// Sends one run, and writes its report.
    private func send(
        _ order: Order, at connection: HubConnection, in store: any Store
    ) async throws -> [CampaignEnd] {
        do {
            let summary = try await work(order, at: connection, in: store)
            let ends = try await conclude(summary, of: order, in: store)
            try await mentionDevices(of: summary, by: order, at: connection, in: store)
            return ends
        } catch RunError.stopped(let id) {
            try await output.refuseStopped(id, in: store)
            return [.stopped]
        } catch RunError.unfinished(let id, _, let state, let left) {
            try await output.refuseAgain(id, left: left, in: store)
            return [state == .stopped ? .stopped : .unfinished]
        } catch RunError.locked(let campaign) {
            throw OperationFault.locked(
                campaign: campaign, stop: settings.command("stop", campaign))
        } catch let error as RunError {
            guard case .notStaged = error, case .resume(let record, _) = order,
                let words = RunContinuation.words(toBeginAnew: record)
            else { throw error }
            throw ErrorWithRemedy(
                cause: error, remedy: "To begin it again: \(settings.commandForm(words))")
        } catch is CancellationError {
            throw OperationFault.interrupted(campaign: order.campaign)
        }
    }

    private func work(
        _ order: Order, at connection: HubConnection, in store: any Store
    ) async throws -> RunSummary {
        let bar = output.bar
        let observe: @Sendable (RunProgress) -> Void = { [watch] progress in
            bar.update(progress)
            // Only the campaign's own sendings are watched.
            if !order.isFallback { watch?.observe(progress, of: order.campaign) }
        }
        return try await connection.withClient(concurrency: order.concurrency, logger: logger) {
            client in
            let runner = CampaignRunner(
                ledger: store, sender: HubPushSender(client: client),
                lock: store.campaignLock, process: connection.process, patience: patience,
                logger: logger,
                observe: observe, observeStaging: bar.update, observeLock: output.sayLocked)
            defer { bar.clear() }
            switch order {
            case .run(let request, let audience):
                try await request.endRunsAtMissingHubs(in: store)
                return try await runner.run(request, to: audience)
            case .resume(let record, let campaign):
                return try await runner.resume(
                    record.id, at: connection.identity, campaign: campaign)
            }
        }
    }

    // MARK: Concluding

    /// - Parameter isTold: whether a person is told; if not, only output for programs is written.
    private func conclude(
        _ summary: RunSummary, of order: Order, in store: any Store, isTold: Bool = true
    ) async throws -> [CampaignEnd] {
        let record = summary.record
        if !order.isFallback { watch?.note(summary) }
        try await output.mentionUnfinished(beside: summary, in: store)
        for warning in isTold ? summary.warnings : [] {
            Console.complain("hubsend: warning: \(warning)")
        }
        let (report, failure) = await writeReport(of: summary, by: order, in: store)
        let overview = RunOverview(
            run: record, outcomes: summary.outcomes, reach: try await store.reach(record.id),
            reasons: summary.outcomes.hasReasons
                ? try await store.reasons(record.id, limit: RunOverview.mostReasons) : [],
            report: report, zone: CampaignFile.zone(of: record.campaignPath),
            later: try await store.successor(of: record))
        let origin =
            summary.result == .alreadyFinished && !summary.changed.isEmpty
            ? origin(of: record, otherThanAskedFor: order) : nil
        let end =
            origin == nil ? CampaignEnd(summary) : .failed(OperationFault.sameCampaignTwice)
        try output.conclude(
            summary, overview, end: end, plan: order.plan, origin: origin, isTold: isTold)
        guard let failure else { return [end] }
        return [end, output.failed(failure)]
    }

    /// Names people without a device if a local hub was just sent to, or says how to ask.
    private func mentionDevices(
        of summary: RunSummary, by order: Order, at connection: HubConnection, in store: any Store
    ) async throws {
        let record = summary.record
        guard output.isChatty, summary.result == .finished, !record.isRehearsal,
            case .run(let request, let audience?) = order, request.campaignPath != "-"
        else { return }
        guard connection.isLoopback else {
            var search = RunSearch(of: record.campaign, at: record.hub)
            search.limit = 2
            if try await store.runs(search).count == 1 {
                output.sayDevices(without: nil, of: record)
            }
            return
        }
        guard audience.plan.counts.final <= Self.mostAskedAbout else { return }
        do {
            let reach = try await ReachInquiry(.all, isPaced: false).estimate(
                audience, of: request.campaign, at: connection, logger: logger)
            output.sayDevices(without: reach.peopleWithoutDevice.count, of: record)
        } catch is ReachFault {
            logger.info("The hub does not say who has a device")
        }
    }

    private func writeReport(
        of summary: RunSummary, by order: Order, in store: any Store
    ) async -> (path: String?, failure: ReportNotWritten?) {
        let record = summary.record
        // The report would list pushes as unsent that others still send.
        if case .left = summary.result { return (nil, nil) }
        let path = Path.file(
            ReportFormat.csv.fileName(run: record.id, campaign: record.campaign),
            in: settings.reports)
        // A rerun without work writes a report that is missing after a crash or deletion.
        guard summary.result != .alreadyFinished || !FileManager.default.fileExists(atPath: path)
        else { return (path, nil) }
        // The rows of the report were deleted from the store.
        guard record.deliveriesDeleted == nil else { return (nil, nil) }
        do {
            try await ReportFile(store: store, record: record).write(
                .csv, to: path, makesFolder: true)
            return (path, nil)
        } catch {
            let remedy = """
                Run \(record.id) itself is recorded; write its report with: \
                \(settings.command("report", record.id.text))
                """
            // `resume` would continue a run that is not at its end, even a stopped one. A report
            // from before that end would be left alone.
            let isMended =
                record.state == .finished && order.isFoundFinishedAgain
                && !FileManager.default.fileExists(atPath: path)
            let failure = ReportNotWritten(
                cause: error, remedy: remedy, isMendedByRerun: isMended)
            return (nil, failure)
        }
    }

    /// The other file that a run was begun from; nil also if the file was only renamed or moved.
    private func origin(of record: RunRecord, otherThanAskedFor order: Order) -> String? {
        guard case .run(let request, _) = order else { return nil }
        let (begun, file) = (record.campaignPath, request.campaignPath)
        guard file != "-", Path.resolved(begun) != Path.resolved(file),
            settings.campaign(of: record) != nil
        else { return nil }
        return begun
    }
}
