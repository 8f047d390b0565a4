import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import NotificationHubs
import Storage

struct Preview: Sendable {
    enum End: Hashable, Sendable {
        case wouldSend
        case nothing
        case faults
        /// Its people cannot be found from here; the person was told why.
        case refused
    }

    typealias Reach =
        @Sendable (PlannedAudience, Campaign) async throws -> ReachEstimate

    private let settings: EffectiveSettings
    private let order: PreviewOrder
    private let rest: Set<Outcome>?
    private let program: HubCaller
    private let saving: PlanSaving?
    private let reach: Reach?
    private var invocation: Invocation { settings.invocation }

    init(
        settings: EffectiveSettings, order: PreviewOrder, by program: HubCaller,
        saving: PlanSaving? = nil, reach: Reach? = nil
    ) {
        self.settings = settings
        self.order = order
        rest = if case .rest(let outcomes) = order.mode { outcomes } else { nil }
        self.program = program
        self.saving = saving
        self.reach = reach
    }

    /// Whether it is the campaign itself; a rehearsal or a rest says little about it.
    private var isWhole: Bool { order.rehearsal == nil && rest == nil }

    /// Prints the previews of campaigns.
    ///
    /// A single named file gives one JSON object on several lines; otherwise one line each.
    ///
    /// - Parameter hits: the files in order; other files of a folder are skipped.
    func show(_ hits: [CampaignSearch.Hit]) async throws -> [End] {
        let isAlone = hits.count == 1 && hits[0].isNamed
        var ends: [End] = []
        var entries: [PreviewEntry] = []
        var saved: [String] = []
        for hit in hits {
            let found: (PreviewModel?, [Diagnostic], saved: String?)
            do {
                found = try await model(of: hit)
            } catch let error where Self.isOfOneCampaign(error) {
                Console.complain("hubsend: \(error)")
                ends.append(.refused)
                let name = shown(hit)
                // The sentence names the file as it was typed.
                let why = hit.path == "-" ? "\(error)" : "\(error)".replacing(hit.path, with: name)
                entries.append(.refused(path: name, why: VisibleText.escape(why)))
                continue
            }
            let isFirst = ends.allSatisfy { $0 == .refused }
            let (model, findings, sentence) = found
            if let sentence { saved.append(sentence) }
            ends.append(model.map { $0.wouldSend ? .wouldSend : .nothing } ?? .faults)
            if model == nil {
                Console.complain(
                    "\(VisibleText.path(hit.path)): \(FindingsOutput.tally(findings)).")
            }
            switch order.format {
            case .text:
                try printText(model, findings, isFirst: isFirst)
            case .json:
                try printJSON(model, findings, isAlone: isAlone)
            case .markdown, .html:
                entries.append(
                    model.map { .campaign($0) }
                        ?? .faults(path: shown(hit), findings: plain(findings)))
            }
        }
        try print(entries)
        if invocation.isErrorTerminal { for sentence in saved { Console.complain(sentence) } }
        return ends
    }

    /// The file as named from the repository.
    private func shown(_ hit: CampaignSearch.Hit) -> String {
        invocation.repository(of: [hit.path]).name(of: hit.path)
    }

    /// Whether an error concerns only the people of one campaign.
    private static func isOfOneCampaign(_ error: any Error) -> Bool {
        switch error {
        case SettingFault.noExportFolder, OperationFault.noRunForAudience,
            OperationFault.unfinishedRunForAudience, OperationFault.forgottenRunForAudience,
            OperationFault.noHubForRuns:
            true
        default: false
        }
    }

    // MARK: Printing

    private func printText(
        _ model: PreviewModel?, _ findings: [Diagnostic], isFirst: Bool
    ) throws {
        if !isFirst { try Console.output("\n") }
        try FindingsOutput(invocation: invocation, format: .text).print(findings)
        guard let model else { return }
        let style = invocation.outputStyle
        let text = PreviewText(
            model, style: style, width: Console.outputColumns, showsRequests: order.showsRequests)
        try Console.output(text.text(), style: style)
    }

    /// Prints JSON; findings go to stdout only when nothing else does.
    private func printJSON(
        _ model: PreviewModel?, _ findings: [Diagnostic], isAlone: Bool
    ) throws {
        if let model {
            let json = PreviewJSON(model)
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
        switch order.format {
        case .text, .json: return
        case .markdown:
            let text = PreviewMarkdown(entries, showsRequests: order.showsRequests).text()
            try Console.output(text)
        case .html:
            try Console.output(Array(PreviewPage(entries, made: Date()).html().utf8))
        }
    }

    /// Findings without colours; text for readers elsewhere uses paths in the repository.
    private func plain(_ findings: [Diagnostic]) -> String {
        let isForOthers = order.format == .markdown || order.format == .html
        return TextDiagnosticRenderer(isColored: false, masksAudience: invocation.masksPeople)
            .render(
                isForOthers ? invocation.repository(of: [], findings).placed(findings) : findings)
    }

    // MARK: Finding out

    /// Describes a file; a file that a search found and that cannot be read is a finding.
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

    /// Describes a campaign; nil if it has errors.
    private func model(
        of source: CampaignSource
    ) async throws -> (PreviewModel?, [Diagnostic], saved: String?) {
        let now = Date()
        var choice = order.rehearsal.map { PeopleChoice.rehearsal($0) } ?? .all
        if let rest, let name = source.loaded.campaign?.name {
            choice = .rest(try await self.rest(of: name, with: rest))
        }
        let planHub = try saving?.hub(in: settings, for: program)
        let maker = saving.flatMap { _ in
            source.loaded.campaign.map {
                PlanMaker(
                    $0, of: source.loaded, settings: settings, salt: PlanDigester.salt())
            }
        }
        let (planned, found, unknownRuns) = try await source.check(
            for: choice, with: .keptBy(settings, program), at: now, visit: maker?.tally.add)
        guard let planned, let campaign = source.loaded.campaign else {
            return (nil, (settings.configWarnings + found).sorted(), nil)
        }
        // The others are remarks.
        let warnings = found.filter { !isWhole || !$0.isUnusual }
        let findings = (settings.configWarnings + warnings).sorted()
        let plan = planned.plan
        let isMasked = order.masksPeople(in: invocation)
        let (outlook, history, start) = try await outlook(for: source, campaign, planned, at: now)
        let hub = try settings.hub?.identity(for: program)
        let shown = try await PreviewPeople(
            campaign, planned, order: order, isMasked: isMasked,
            isPublic: invocation.masksPeople
        ).shown()
        let reach = try await self.reach?(planned, campaign)
        let hasNot = reach.flatMap { reach in
            reach.peopleWithoutDevice.count > 0 ? PreviewRemark.withoutDevice(reach) : nil
        }
        let remarks = PreviewRemarks(
            campaign: campaign, plan: plan, isWhole: isWhole, outlook: outlook, history: history,
            files: unknownRuns + source.loaded.remarks(on: plan), hub: hub)
        let model = PreviewModel(
            campaign: campaign.name, description: campaign.description, kind: campaign.kind,
            audience: plan.counts,
            languages: plan.readers.map {
                PreviewLanguage($0.language, people: $0.recipients)
            },
            platforms: try platforms(of: campaign, plan, to: shown.first, at: now),
            requests: plan.requests, rate: plan.rate,
            seconds: plan.duration.map { $0 / .seconds(1) },
            expiresAfter: campaign.payload.expiresAfter, hub: hub,
            hubName: settings.hubName?.name,
            outlook: outlook,
            waves: outlook.settlesTurns ? PreviewWave.all(of: plan.waves, seenFrom: now) : [],
            fallback: order.rehearsal == nil
                ? campaign.fallback.map { PreviewFallback($0, people: plan.counts.final) } : nil,
            next: order.rehearsal == nil ? source.next(start, after: now) : nil,
            reach: reach, remarks: (hasNot.map { [$0] } ?? []) + remarks.list,
            messages: shown.messages, warnings: plain(findings),
            isPersonal: campaign.payload.isPersonal, isMasked: isMasked)
        guard let saving, let maker, let planHub else { return (model, findings, nil) }
        let mode = order.mode.meant(by: campaign)
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
            try settings.hub?.describer(for: program)
            ?? HubChoice.describer(named: settings.hubName?.name, for: program)
        let samples = try SamplePushes(of: campaign, to: members, now: now)
        return plan.platforms.map { platform in
            PreviewPlatform(
                platform: platform.platform, recipients: platform.recipients,
                worstBytes: platform.worstBytes, limit: platform.limit,
                request: samples[platform.platform].flatMap(describer.describe))
        }
    }

    /// What a run would do now, by the store and what was sent before; the store is only read.
    private func outlook(
        for source: CampaignSource, _ campaign: Campaign, _ planned: PlannedAudience, at now: Date
    ) async throws -> (PreviewOutlook, PreviewHistory?, NextStart?) {
        let begins = PreviewOutlook(.begin, deliveries: planned.plan.deliveries)
        let store: any Store
        do {
            store = try await settings.store.openForReading(
                try await settings.lookingOptions(), isBroughtUpToDate: false)
        } catch StoreError.notFound {
            // A build server never has a store, whatever was sent from elsewhere.
            let isFirst = invocation["CI"] == nil
            return (begins, isWhole ? PreviewHistory(last: nil, isFirst: isFirst) : nil, nil)
        } catch StoreError.olderVersion {
            return (.unknown(because: .olderStore), nil, nil)
        }
        guard let hub = try settings.hub?.identity(for: program) else {
            // Only what is known about the campaign at some hub can be wrong.
            let isNew = try await store.runs(campaign: campaign.name, limit: 1).isEmpty
            return isNew && campaign.delivery.frequencyCap == nil
                ? (begins, nil, nil) : (.unknown(because: .noHub), nil, nil)
        }
        let request = RunRequest(
            campaign: campaign, hub: hub, mode: order.mode, campaignPath: source.loaded.path)
        let forecast = try await RunForecast(of: request, to: planned, in: store, at: now)
        let history = try await PreviewHistory(
            of: campaign, to: planned.people, at: hub, in: store, now: now)
        let start = try await NextStart(of: campaign, at: hub, in: store, now: now)
        return (await PreviewOutlook(forecast, in: store, at: now), isWhole ? history : nil, start)
    }

    /// The people missed by the last finished run; the store is read, not migrated.
    private func rest(of campaign: String, with outcomes: Set<Outcome>) async throws -> RestOfRun {
        guard let hub = try settings.hub?.identity(for: program) else {
            throw OperationFault.noHubForRest
        }
        return try await RestOfRun.required(
            of: campaign, with: outcomes, at: hub, in: settings.store.openAsItIs())
    }
}

extension PreviewOutlook {
    fileprivate init(_ forecast: RunForecast, in store: any Store, at now: Date) async {
        let (action, run): (Action, RunRecord?) =
            switch forecast.step {
            case .begin, .stage: (.begin, nil)
            case .proceed(let run) where run.waits(at: now): (.nothing, run)
            case .proceed(let run): (.proceed, await run.standing(in: store))
            case .leaveFinished(let run): (.nothing, run)
            case .refuseStopped(let run), .refuseUnfinished(let run):
                (.refuse, await run.standing(in: store))
            }
        self.init(
            action, run: run, deliveries: forecast.deliveries, capped: forecast.capped,
            changed: forecast.changed)
    }
}
