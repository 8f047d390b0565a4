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

    /// The campaign; nil when the file has faults.
    ///
    /// If only files that it names are missing on this host, it is the part that a staged run needs.
    var campaign: Campaign? { loaded.campaign ?? loaded.withoutFiles }

    /// Reads a campaign file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - settings: the settings for the campaign.
    ///   - searched: the folder in which a search found it; nil: it was named.
    ///   - name: the file whose text standard input is; nil: standard input is not the text of a file.
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

    /// The campaign file of a run as it is now; a run that goes on takes `delivery` from it.
    ///
    /// - Parameters:
    ///   - record: the run.
    ///   - settings: those for it.
    /// - Returns: the file; nil when it is gone, and, after a warning, when it has faults or another campaign.
    static func reread(of record: RunRecord, settings: EffectiveSettings) -> LoadedCampaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms)
            // Files that the campaign names need not be here: the run has its people already.
            if (loaded.campaign ?? loaded.withoutFiles)?.name == record.campaign { return loaded }
        } catch {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) cannot be used any more; the run keeps its delivery settings."
        )
        return nil
    }

    /// What is wrong with file and audience; if nothing is, the plan.
    ///
    /// - Parameters:
    ///   - choice: which of the campaign's people it is for.
    ///   - fallback: the campaign's fallback, to be planned instead of the campaign; nil: the campaign.
    ///   - runs: where the people of earlier runs are found; the audience may name them or leave them out.
    ///   - visit: is handed all recipients, page by page in name order; nil: only those are read who have to be looked at.
    ///   - observe: is told how far the audience is read.
    ///   - isLinting: whether hints count, and what the file switches off.
    ///   - sorter: an empty sorter to use; nil: it makes one of its own.
    ///   - now: the current time.
    /// - Returns: the audience as planned, when there is no error; the findings in order.
    /// - Throws: `RehearsalFault`; an error that says why an audience file, the store or the scratch area could not be used. Unless
    ///   `runs` is ``EarlierRuns/unread``: ``OperationFault`` when there is no such run, `SettingFault` when the folder of exports is
    ///   not set.
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
            let earlier = try await runs.people(for: campaign, isFallback: fallback != nil)
            planned = try await CampaignPlanner(zones: SystemTimeZones(), observe: observe).plan(
                fallback ?? campaign, audience: people,
                sorter: known,
                including: earlier.named, excluding: earlier.excluded, for: wanted,
                besides: try await runs.turns(of: campaign, at: now),
                visit: visit, now: now)
        } catch let faults as AudienceFileFaults {
            let rows = loaded.diagnostics(for: audience.unusualRows)
            return (nil, shown(found + faults.diagnostics + rows, isLinting))
        }
        // If some people were not looked for, it is not known how many there are.
        let isWhole = runs.areRead || conditions?.areInFiles ?? true
        let faults = planned.plan.faults.filter { isWhole || !$0.isAboutSize }
        var findings =
            found + audience.skippedRows + loaded.personalNames(in: audience)
            + faults.map(loaded.diagnostic)
            + loaded.diagnostics(for: planned.plan.valueConflicts)
            + loaded.diagnostics(for: audience.unusualRows)
        if case .all = choice,
            let late = loaded.lateness(
                of: planned.plan.requests, taking: planned.plan.duration)
        {
            findings.append(late)
        }
        if case .all = choice, isWhole {
            findings += loaded.exclusions(planned.plan.unmatchedExclusions).map(\.diagnostic)
        }
        return (findings.hasErrors ? nil : planned, shown(findings, isLinting))
    }

    private func shown(_ findings: [Diagnostic], _ isLinting: Bool) -> [Diagnostic] {
        let sorted = loaded.naming(findings).sorted()
        guard !isLinting else { return sorted }
        let left = loaded.lint.ignores.kept(of: sorted.filter { $0.severity != .hint })
        return settings.configIgnores.kept(of: left)
    }
}

extension PeopleChoice {
    /// The people whom a request is for.
    ///
    /// - Throws: ``OperationFault`` when it is for people of an earlier run and there is no such run; what the ledger throws.
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
    ///   - outcomes: the outcomes of its deliveries that belong to the rest.
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
