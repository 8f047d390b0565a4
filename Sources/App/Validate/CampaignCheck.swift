import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import SQLiteDriver

/// What is wrong with a campaign's file and audience, and its people if nothing is.
struct CheckedCampaign: Sendable {
    /// nil if there are errors.
    var audience: PlannedAudience?
    /// In order.
    var findings: [Diagnostic]
    /// A remark for each excluded run that is not known.
    var unknownRuns: [PreviewRemark] = []
}

/// A check of a campaign with its people, which sorts them and measures the bodies of the pushes.
struct CampaignCheck {
    let source: CampaignSource
    /// Finds people of earlier runs that the audience names or excludes.
    let runs: EarlierRuns
    var choice: PeopleChoice = .all
    /// Planned instead of the campaign, if given.
    var fallback: Campaign?
    /// Whether hints and the file's ignore comments count.
    var isLinting = false
    /// An empty sorter to use; nil: it makes its own.
    var sorter: SQLiteSorter?
    var now = Date()
    /// Is given all recipients by page in name order; nil: only what is needed is read.
    var visit: (([AudienceMember]) -> Void)?
    var observe: @Sendable (AudienceProgress) -> Void = { _ in }

    private var loaded: LoadedCampaign { source.loaded }
    private var settings: EffectiveSettings { source.settings }

    private var conditions: AudienceConditions? { loaded.conditions }
    /// Whether all people are looked up; if not, their total is unknown.
    private var isWhole: Bool { runs.areRead || conditions?.areInFiles ?? true }

    func checked() async throws -> CheckedCampaign {
        guard let campaign = loaded.campaign,
            let audience = loaded.checkedAudience(isLinting: isLinting)
        else { return CheckedCampaign(findings: shown(inFile + loaded.checkAudienceFiles())) }
        if runs.areRead, let export = conditions?.missingExport {
            throw AudienceUnknown(
                """
                \(export.campaign):\(export.range.line):\(export.range.column): "\(export.path)" lies in the folder of \
                exports, and nothing says where that is. Set HUBSEND_AUDIENCES, give --audiences, or write `audiences:` \
                into hubsend.yaml.
                """)
        }
        let earlier = try await runs.people(
            for: campaign, in: Path.folder(of: loaded.path), isFallback: fallback != nil,
            command: settings.commandForm)
        do {
            let planned = try await plan(campaign, audience, with: earlier)
            let findings = inFile + inAudience(audience, planned.plan)
            return CheckedCampaign(
                audience: findings.hasErrors ? nil : planned, findings: shown(findings),
                unknownRuns: earlier.unknown)
        } catch let faults as AudienceFileFaults {
            let rows = loaded.diagnostics(for: audience.unusualRows)
            return CheckedCampaign(findings: shown(inFile + faults.diagnostics + rows))
        }
    }

    private func plan(
        _ campaign: Campaign, _ audience: CheckedAudience, with earlier: EarlierRuns.Found
    ) async throws -> PlannedAudience {
        var people: any AudienceSource = audience
        if let fallback { people = FallbackAudience(audience, of: campaign, for: fallback) }
        let sorter: any AudienceSorter =
            try self.sorter ?? SQLiteSorter(in: settings.localFolder)
        return try await CampaignPlanner(
            zones: SystemTimeZones(), ledger: runs.ledger, observe: observe
        ).plan(
            fallback ?? campaign, audience: people, sorter: sorter, including: earlier.named,
            excluding: earlier.excluded, for: choice,
            besides: try await runs.turns(of: campaign, at: now), visit: visit, now: now)
    }

    private var inFile: [Diagnostic] {
        loaded.diagnostics + loaded.lint.remarks + (conditions?.staleFiles(at: now) ?? [])
            + (runs.areRead ? [] : conditions?.unchecked ?? [])
            + [loaded.missedStart(at: now)].compactMap(\.self)
    }

    private func inAudience(_ audience: CheckedAudience, _ plan: CampaignPlan) -> [Diagnostic] {
        let faults = plan.faults.filter { isWhole || !$0.isAboutSize }
        var findings =
            audience.skippedRows + loaded.personalNames(in: audience)
            + faults.map(loaded.diagnostic) + loaded.diagnostics(for: plan.valueConflicts)
            + loaded.diagnostics(for: audience.unusualRows)
        guard case .all = choice else { return findings }
        if let late = loaded.lateness(of: plan.requests, taking: plan.duration) {
            findings.append(late)
        }
        if isWhole { findings += loaded.exclusions(plan.unmatchedExclusions).map(\.diagnostic) }
        return findings
    }

    /// The findings in order, without those that do not count.
    private func shown(_ findings: [Diagnostic]) -> [Diagnostic] {
        let sorted = loaded.naming(findings).sorted()
        guard !isLinting else { return sorted }
        let left = loaded.lint.ignores.kept(of: sorted.filter { $0.severity != .hint })
        return settings.configIgnores.kept(of: left)
    }
}
