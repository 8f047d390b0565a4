import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import SQLiteStorage
import Settings
import Terminal

/// A campaign file with what is needed to check it whole: its people sorted, its bodies measured.
struct CampaignSource: Sendable {
    let loaded: LoadedCampaign
    private let settings: EffectiveSettings

    /// The campaign; where files that it names are not on this host, what a staged run needs of it; nil when anything else is wrong.
    var campaign: Campaign? { loaded.campaign ?? loaded.withoutFiles }

    /// Reads a campaign file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - settings: those for it.
    ///   - searched: the folder in which a search found it; nil: it was named.
    ///   - name: the file that standard input is the text of; nil: of none.
    /// - Throws: `InputFileError` when there is no file to read; `CancellationError` when the task is cancelled while
    ///   standard input is read.
    init(
        path: String, settings: EffectiveSettings, searched: String? = nil,
        named name: String? = nil
    ) async throws {
        self.settings = settings
        loaded =
            path == "-"
            ? try await CampaignFile.read(
                standardInput: StandardInput.read(), scope: settings.scope,
                terms: settings.terms, named: name)
            : try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms, searched: searched)
    }

    /// The campaign file of a run as it is now, of which a run that goes on takes `delivery`.
    ///
    /// - Parameters:
    ///   - record: the run.
    ///   - settings: those for it.
    /// - Returns: the file; nil when it is gone, or, after a warning, when it has faults or another campaign.
    static func reread(of record: RunRecord, settings: EffectiveSettings) -> LoadedCampaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms)
            // Files that it names need not be here: the run has its people.
            if (loaded.campaign ?? loaded.withoutFiles)?.name == record.campaign { return loaded }
        } catch {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) cannot be used any more; the run keeps its delivery settings."
        )
        return nil
    }

    /// What is wrong with file and audience, and the plan where nothing is.
    ///
    /// - Parameters:
    ///   - choice: whom of them it is for.
    ///   - fallback: the campaign's fallback, to be planned instead of the campaign; nil: the campaign.
    ///   - runs: where the people of earlier runs are found, whom the audience may name.
    ///   - visit: is handed all recipients, page by page in name order; nil: nobody wants to see them all.
    ///   - observe: is told how far the audience is read.
    ///   - isLinting: whether hints count, and what the file switches off.
    ///   - sorter: an empty one, to be used instead of one of its own.
    ///   - now: the current time.
    /// - Returns: the audience as planned, when there is no error; the findings in order.
    /// - Throws: `RehearsalFault`, or why an audience file, the store or the scratch area could not be used; unless `runs` is
    ///   ``EarlierRuns/unread``, ``OperationFault`` when there is no such run, and `SettingFault` when nothing says where exports are.
    func check(
        for choice: PeopleChoice = .all, as fallback: Campaign? = nil, with runs: EarlierRuns,
        isLinting: Bool = false,
        sorter: SQLiteSorter? = nil, at now: Date = Date(),
        visit: (([AudienceMember]) -> Void)? = nil,
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) async throws -> (planned: PlannedAudience?, findings: [Diagnostic]) {
        let conditions = loaded.conditions
        let found =
            loaded.diagnostics + loaded.lint.remarks + (conditions?.staleFiles(at: now) ?? [])
            + (runs.areRead ? [] : conditions?.unchecked ?? [])
            + [loaded.missedStart(at: now)].compactMap(\.self)
        guard let campaign = loaded.campaign,
            let audience = loaded.checkedAudience(isLinting: isLinting)
        else {
            return (nil, shown(found + loaded.checkAudienceFiles(), isLinting))
        }
        if runs.areRead, let export = conditions?.missingExport {
            throw SettingFault.noExportFolder(export)
        }
        let ledger = try await runs.ledger()
        let tables = try sorter ?? SQLiteSorter(in: settings.localFolder)
        var known: any AudienceSorter = tables
        var wanted = choice
        if let ledger {
            known = ForgettingSorter(tables, besides: ledger)
            wanted = try await choice.withoutForgotten(in: ledger)
        }
        let people: any AudienceSource =
            if let fallback {
                FallbackAudience(audience, of: campaign, for: fallback)
            } else {
                audience
            }
        let planned: PlannedAudience
        do {
            planned = try await CampaignPlanner(zones: SystemTimeZones(), observe: observe).plan(
                fallback ?? campaign, audience: people,
                sorter: known,
                including: try await runs.people(for: campaign),
                for: wanted, besides: try await runs.turns(of: campaign, at: now),
                visit: visit, now: now)
        } catch let faults as AudienceFileFaults {
            return (nil, shown(found + faults.diagnostics, isLinting))
        }
        // How many people there are is not known where some of them were not looked at.
        let isWhole = runs.areRead || conditions?.areInFiles ?? true
        let faults = planned.plan.faults.filter { isWhole || !$0.isAboutSize }
        var findings =
            found + audience.skippedRows + loaded.personalNames(in: audience)
            + faults.map(loaded.diagnostic)
            + loaded.diagnostics(for: planned.plan.valueConflicts)
        if case .all = choice,
            let late = loaded.lateness(
                of: planned.plan.requests, taking: planned.plan.duration)
        {
            findings.append(late)
        }
        return (findings.hasErrors ? nil : planned, shown(findings, isLinting))
    }

    private func shown(_ findings: [Diagnostic], _ isLinting: Bool) -> [Diagnostic] {
        let sorted = findings.sorted()
        guard !isLinting else { return sorted }
        let left = loaded.lint.ignores.kept(of: sorted.filter { $0.severity != .hint })
        return settings.configIgnores.kept(of: left)
    }
}

extension PeopleChoice {
    /// Whom a request is for.
    ///
    /// - Throws: ``OperationFault`` when it is for people of an earlier run and there is none; what the ledger throws.
    init(
        _ request: RunRequest, rehearsal: Rehearsal?, in ledger: (any RunLedger)?
    ) async throws {
        if let rehearsal {
            self = .rehearsal(rehearsal)
        } else if case .rest(let outcomes) = request.mode {
            self = .rest(
                try await RestOfRun.required(
                    of: request.campaign.name, with: outcomes, at: request.hub, in: ledger))
        } else if case .fallback(let parent) = request.mode {
            guard let ledger else { throw OperationFault.noSuchRun(parent.id) }
            self = .rest(try await RestOfRun.unfetched(of: parent, in: ledger))
        } else {
            self = .all
        }
    }
}

extension RestOfRun {
    /// The rest of the last finished run of a campaign, for `run --again --only`.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - outcomes: the ways in which its deliveries ended.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; nil: there is no store.
    /// - Returns: the rest, which may be nobody.
    /// - Throws: ``OperationFault`` when no run is finished.
    static func required(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: (any RunLedger)?
    ) async throws -> RestOfRun {
        if let ledger, let rest = try await last(of: campaign, with: outcomes, at: hub, in: ledger)
        {
            return rest
        }
        throw OperationFault.noFinishedRun(campaign: campaign, hub: hub)
    }
}
