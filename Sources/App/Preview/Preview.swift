import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import NotificationHubs
import ProcessControl
import Storage

struct Preview: Sendable {
    typealias Reach =
        @Sendable (PlannedAudience, Campaign) async throws -> ReachEstimate

    let settings: EffectiveSettings
    let options: PreviewOptions
    var saving: PlanSaving?
    var reach: Reach?

    private var invocation: Invocation { settings.invocation }
    private var followUp: Set<Outcome>? {
        if case .followUp(let outcomes) = options.mode { outcomes } else { nil }
    }

    /// Whether the whole campaign is previewed, rather than a rehearsal or a follow-up run.
    private var isWhole: Bool { options.rehearsal == nil && followUp == nil }

    /// Prints the previews of campaigns; skips other files in folders.
    ///
    /// In JSON, the preview of a single named file is printed on several lines; otherwise, each
    /// preview is one line.
    func show(_ hits: [CampaignSearch.Hit]) async throws -> ExitStatus {
        let isAlone = hits.count == 1 && hits[0].isNamed
        var ends: [ExitStatus] = []
        var entries: [PreviewEntry] = []
        var saved: [String] = []
        for hit in hits {
            let found: (PreviewModel?, [Diagnostic], saved: String?)
            do {
                found = try await model(of: hit)
            } catch let error as AudienceUnknown {
                Console.complain("hubsend: \(error)")
                // The people of this campaign cannot be determined, but the other campaigns are
                // still shown.
                ends.append(.configuration)
                let name = shown(hit)
                // The error contains the path as typed, but the document needs the path relative to
                // the repository.
                let why = hit.path == "-" ? "\(error)" : "\(error)".replacing(hit.path, with: name)
                entries.append(.refused(path: name, why: VisibleText.escape(why)))
                continue
            }
            let isFirst = ends.allSatisfy { $0 == .configuration }
            let (model, findings, sentence) = found
            if let sentence { saved.append(sentence) }
            ends.append(model.map { $0.wouldSend ? .wouldSend : .done } ?? .findings)
            if model == nil {
                Console.complain(
                    "\(VisibleText.path(hit.path)): \(FindingsOutput.tally(findings)).")
            }
            switch options.format {
            case .text:
                try printText(model, findings, isFirst: isFirst)
            case .json:
                try printJSON(model, findings, isAlone: isAlone)
            case .markdown, .html:
                entries.append(
                    model.map { .campaign($0) }
                        ?? .invalid(path: shown(hit), findings: plain(findings)))
            }
        }
        try print(entries)
        if invocation.isErrorTerminal { for sentence in saved { Console.complain(sentence) } }
        return .combining(ends)
    }

    /// The path relative to the repository.
    private func shown(_ hit: CampaignSearch.Hit) -> String {
        invocation.repository(of: [hit.path]).name(of: hit.path)
    }

    // MARK: Printing

    private func printText(
        _ model: PreviewModel?, _ findings: [Diagnostic], isFirst: Bool
    ) throws {
        if !isFirst { try Console.output("\n") }
        try FindingsOutput(invocation: invocation, format: .text).print(findings)
        guard let model else { return }
        let style = invocation.outputStyle
        let document = PreviewDocument(model: model, showsRequests: options.showsRequests)
        try Console.output(document.text(style, width: Console.outputColumns), style: style)
    }

    /// Prints JSON; findings go to stdout only when nothing else does.
    private func printJSON(
        _ model: PreviewModel?, _ findings: [Diagnostic], isAlone: Bool
    ) throws {
        if let model {
            let json = PreviewJSON.object(model)
            if isAlone {
                try Console.output(json.document())
            } else {
                try Console.output(json.line())
            }
        } else if isAlone {
            try FindingsOutput(invocation: invocation, format: .json).print(findings)
            return
        }
        try FindingsOutput(invocation: invocation, format: .text).complain(findings)
    }

    private func print(_ entries: [PreviewEntry]) throws {
        switch options.format {
        case .text, .json: return
        case .markdown:
            let text = PreviewMarkdown(entries, showsRequests: options.showsRequests).text()
            try Console.output(text)
        case .html:
            try Console.output(Array(PreviewPage(entries, made: Date()).html().utf8))
        }
    }

    /// Returns findings without colours; Markdown and HTML use paths relative to the repository.
    private func plain(_ findings: [Diagnostic]) -> String {
        let isForOthers = options.format == .markdown || options.format == .html
        return TextDiagnosticRenderer(isColored: false, masksAudience: invocation.masksPeople)
            .render(
                isForOthers ? invocation.repository(of: [], findings).placed(findings) : findings)
    }

    // MARK: Reading

    /// Describes a file; a file that a search found but that cannot be read produces a finding.
    private func model(
        of hit: CampaignSearch.Hit
    ) async throws -> (PreviewModel?, [Diagnostic], saved: String?) {
        do {
            return try await model(
                of: try await CampaignSource(
                    path: hit.path, settings: settings, searched: hit.folder))
        } catch let error as InputFileError where !hit.isNamed {
            return (nil, [Diagnostic(unreadable: hit.path, because: error)], nil)
        }
    }

    /// Describes a campaign; the model is nil if the campaign has errors.
    private func model(
        of source: CampaignSource
    ) async throws -> (PreviewModel?, [Diagnostic], saved: String?) {
        let now = Date()
        let place = Result {
            try source.loaded.campaign == nil ? nil : settings.hub?.identity()
        }
        let store = source.loaded.campaign == nil ? .success(nil) : await openStore()
        var choice = options.rehearsal.map { PeopleChoice.rehearsal($0) } ?? .all
        if let followUp, let name = source.loaded.campaign?.name {
            choice = .followUp(
                try await self.followUp(of: name, with: followUp, at: place.get(), in: store.get()))
        }
        let planHub = try saving?.hub(in: settings)
        let maker = saving.flatMap { _ in
            source.loaded.campaign.map {
                PlanMaker(
                    $0, of: source.loaded, settings: settings, salt: PlanDigester.salt())
            }
        }
        let checked = try await CampaignCheck(
            source: source, runs: .read(store.map { $0 }, at: place), choice: choice, now: now,
            visit: maker?.tally.add
        ).checked()
        guard let planned = checked.audience, let campaign = source.loaded.campaign else {
            return (nil, (settings.configWarnings + checked.findings).sorted(), nil)
        }
        let hub = try place.get()
        // Unusual findings are shown as remarks instead.
        let warnings = checked.findings.filter { !isWhole || !$0.isUnusual }
        let findings = (settings.configWarnings + warnings).sorted()
        let plan = planned.plan
        let isMasked = options.masksPeople(in: invocation)
        let (outlook, history, start) = try await outlook(
            for: source, campaign, planned, at: hub, in: store, now: now)
        let shown = try await PreviewPeople(
            campaign: campaign, planned: planned, options: options, isMasked: isMasked,
            isPublic: invocation.masksPeople
        ).shown()
        let reach = try await self.reach?(planned, campaign)
        let hasNot = reach.flatMap { reach in
            reach.peopleWithoutDevice.count > 0
                ? PreviewRemark.withoutDevice(reach) : nil
        }
        let remarks = PreviewRemarks(
            campaign: campaign, plan: plan, isWhole: isWhole, outlook: outlook, history: history,
            files: checked.unknownRuns + source.loaded.remarks(on: plan), hub: hub)
        let model = PreviewModel(
            campaign: campaign.name, description: campaign.description, kind: campaign.kind,
            audience: plan.counts, skippedRows: plan.skippedRows,
            languages: plan.readers.map {
                PreviewLanguage(language: $0.language, people: $0.recipients)
            },
            platforms: try platforms(of: campaign, plan, to: shown.first, at: now),
            requests: plan.requests, rate: plan.rate,
            seconds: plan.duration.map { $0 / .seconds(1) },
            expiresAfter: campaign.payload.expiresAfter, hub: hub,
            hubName: settings.hubName?.name,
            outlook: outlook,
            waves: outlook.plansWaves ? PreviewWave.all(of: plan.waves, seenFrom: now) : [],
            fallback: options.rehearsal == nil
                ? campaign.fallback.map {
                    PreviewFallback(
                        after: $0.after, message: $0.message.source, people: plan.counts.final)
                } : nil,
            next: options.rehearsal == nil ? source.next(start, after: now) : nil,
            reach: reach, remarks: (hasNot.map { [$0] } ?? []) + remarks.list,
            messages: shown.messages, warnings: plain(findings),
            isPersonal: campaign.payload.isPersonal, isMasked: isMasked)
        guard let saving, let maker, let planHub else { return (model, findings, nil) }
        let mode = options.mode.meant(by: campaign)
        let id = try saving.save(maker, planned, as: mode, at: planHub)
        let sentence = saving.sentence(
            id, of: source.loaded.path, as: mode, planned, now: outlook,
            sends: model.wouldSend, settings: settings)
        return (model, findings, sentence)
    }

    private func platforms(
        of campaign: Campaign, _ plan: CampaignPlan, to members: [AudienceMember], at now: Date
    ) throws -> [PreviewPlatform] {
        let describer =
            try settings.hub?.describer()
            ?? HubChoice.describer(named: settings.hubName?.name)
        let samples = try campaign.samplePushes(to: members, now: now)
        return plan.platforms.map { platform in
            PreviewPlatform(
                platform: platform.platform, recipients: platform.recipients,
                worstBytes: platform.worstBytes, limit: platform.limit,
                request: samples[platform.platform].flatMap(describer.describe))
        }
    }

    /// Opens the store for reading without upgrading it; nil if it does not exist.
    private func openStore() async -> Result<(any Store)?, any Error> {
        do {
            return .success(
                try await settings.store.openForReading(
                    try await settings.readingOptions(), migrates: false))
        } catch StoreError.notFound {
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }

    /// Determines what a run would do now, given what the store says was already sent.
    private func outlook(
        for source: CampaignSource, _ campaign: Campaign, _ planned: PlannedAudience,
        at hub: HubIdentity?, in found: Result<(any Store)?, any Error>, now: Date
    ) async throws -> (PreviewOutlook, PreviewHistory?, NextStart?) {
        let begins = PreviewOutlook(action: .begin, deliveries: planned.plan.deliveries)
        let known: (any Store)?
        do {
            known = try found.get()
        } catch StoreError.olderVersion {
            return (.unknown(because: .olderStore), nil, nil)
        }
        guard let store = known else {
            // A build server has no store, but the campaign may have been sent from another
            // machine.
            let isFirst = invocation["CI"] == nil
            return (begins, isWhole ? PreviewHistory(last: nil, isFirst: isFirst) : nil, nil)
        }
        guard let hub else {
            // If the campaign was never sent to any hub, a run would begin; otherwise, the hub has
            // to be known.
            let isNew = try await store.runs(campaign: campaign.name, limit: 1).isEmpty
            return isNew && campaign.delivery.frequencyCap == nil
                ? (begins, nil, nil) : (.unknown(because: .noHub), nil, nil)
        }
        let request = RunRequest(
            campaign: campaign, hub: hub, mode: options.mode, campaignPath: source.loaded.path)
        let forecast = try await RunForecast(of: request, to: planned, in: store, at: now)
        let history = try await PreviewHistory(
            of: campaign, to: planned.people, at: hub, in: store, now: now)
        let start = try await NextStart(of: campaign, at: hub, in: store, now: now)
        return (await PreviewOutlook(forecast, in: store, at: now), isWhole ? history : nil, start)
    }

    /// Finds the people that the last finished run did not reach.
    private func followUp(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity?,
        in store: (any Store)?
    ) async throws -> UnreachedPeople {
        guard let hub else {
            throw Refused(
                """
                A preview does not connect to a hub or run commands, so it does not know which hub's runs --only \
                refers to. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE) and HUBSEND_HUB_NAME.
                """)
        }
        return try await UnreachedPeople.required(
            of: campaign, with: outcomes, at: hub, in: store)
    }
}

extension PreviewOutlook {
    /// Whether a run would plan its waves now; an existing run has already planned them.
    var plansWaves: Bool {
        switch action {
        case .begin, .unknown: true
        case .proceed, .nothing, .refuse: false
        }
    }

    fileprivate init(_ forecast: RunForecast, in store: any Store, at now: Date) async {
        let (action, run): (Action, RunRecord?) =
            switch forecast.step {
            case .begin, .stage: (.begin, nil)
            case .proceed(let run) where run.waits(at: now): (.nothing, run)
            case .proceed(let run): (.proceed, await run.withLiveState(in: store))
            case .leaveFinished(let run): (.nothing, run)
            case .refuseStopped(let run), .refuseUnfinished(let run):
                (.refuse, await run.withLiveState(in: store))
            }
        self.init(
            action: action, run: run, deliveries: forecast.deliveries, capped: forecast.capped,
            changed: forecast.changed)
    }
}

extension CampaignSource {
    /// The campaign's next scheduled start, if any, combined with what the store knows about it.
    func next(_ known: NextStart?, after now: Date) -> CampaignSchedule? {
        guard let campaign = loaded.campaign, let schedule = campaign.schedule,
            let next = schedule.next(after: now)
        else { return nil }
        return CampaignSchedule(
            campaign: campaign.name, path: loaded.path, schedule: schedule,
            upcoming: known?.stays == false ? [] : [next], sentEarly: known?.sentEarly)
    }
}
