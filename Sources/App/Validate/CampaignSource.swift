import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import SQLiteStorage

/// A campaign file with what a full check needs: people sorted, bodies measured.
struct CampaignSource: Sendable {
    let loaded: LoadedCampaign
    private let settings: EffectiveSettings

    /// The campaign; nil if the file has errors.
    ///
    /// If only named files are missing on this host, the part that a staged run needs.
    var campaign: Campaign? { loaded.campaign ?? loaded.withoutFiles }

    /// Reads a campaign file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - searched: the folder of the search that found it, if any.
    ///   - name: the file whose text is on standard input, if any.
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

    /// The campaign file of a run as it is now; a continued run takes `delivery` from it.
    ///
    /// - Returns: nil if it is gone, or, after a warning, has errors or another campaign.
    static func reread(of record: RunRecord, settings: EffectiveSettings) -> LoadedCampaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms)
            // The campaign's files need not exist here: the run has its people already.
            if (loaded.campaign ?? loaded.withoutFiles)?.name == record.campaign { return loaded }
        } catch {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) cannot be used any more; the run keeps its delivery settings."
        )
        return nil
    }

    /// Finds what is wrong with file and audience, and plans the audience if nothing is.
    ///
    /// - Parameters:
    ///   - fallback: planned instead of the campaign, if given.
    ///   - runs: finds people of earlier runs that the audience names or excludes.
    ///   - visit: is given all recipients by page in name order; nil: only what is needed is read.
    ///   - isLinting: whether hints and the file's ignore comments count.
    ///   - sorter: an empty sorter to use; nil: it makes its own.
    /// - Returns: the audience, if there are no errors; the findings in order; a remark for each
    ///   excluded run that is not known.
    func check(
        for choice: PeopleChoice = .all, as fallback: Campaign? = nil, with runs: EarlierRuns,
        isLinting: Bool = false,
        sorter: SQLiteSorter? = nil, at now: Date = Date(),
        visit: (([AudienceMember]) -> Void)? = nil,
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) async throws -> (
        planned: PlannedAudience?, findings: [Diagnostic], unknownRuns: [PreviewRemark]
    ) {
        let conditions = loaded.conditions
        let found =
            loaded.diagnostics + loaded.lint.remarks + (conditions?.staleFiles(at: now) ?? [])
            + (runs.areRead ? [] : conditions?.unchecked ?? [])
            + [loaded.missedStart(at: now)].compactMap(\.self)
        guard let campaign = loaded.campaign,
            let audience = loaded.checkedAudience(isLinting: isLinting)
        else {
            return (nil, shown(found + loaded.checkAudienceFiles(), isLinting), [])
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
        let earlier = try await runs.people(
            for: campaign, in: Path.folder(of: loaded.path), isFallback: fallback != nil,
            command: settings.commandForm)
        do {
            planned = try await CampaignPlanner(zones: SystemTimeZones(), observe: observe).plan(
                fallback ?? campaign, audience: people,
                sorter: known,
                including: earlier.named, excluding: earlier.excluded, for: wanted,
                besides: try await runs.turns(of: campaign, at: now),
                visit: visit, now: now)
        } catch let faults as AudienceFileFaults {
            let rows = loaded.diagnostics(for: audience.unusualRows)
            return (nil, shown(found + faults.diagnostics + rows, isLinting), [])
        }
        // If some people were not looked up, the total is unknown.
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
        return (
            findings.hasErrors ? nil : planned, shown(findings, isLinting), earlier.unknown
        )
    }

    private func shown(_ findings: [Diagnostic], _ isLinting: Bool) -> [Diagnostic] {
        let sorted = loaded.naming(findings).sorted()
        guard !isLinting else { return sorted }
        let left = loaded.lint.ignores.kept(of: sorted.filter { $0.severity != .hint })
        return settings.configIgnores.kept(of: left)
    }
}

extension PeopleChoice {
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
    /// The rest of the campaign's last finished run, for `run --again --only`.
    ///
    /// - Parameters:
    ///   - outcomes: the deliveries' outcomes that belong to the rest.
    ///   - ledger: nil: there is no store.
    /// - Returns: the rest, which may be nobody.
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
