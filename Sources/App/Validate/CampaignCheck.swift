import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import SQLiteDriver

/// The findings in a campaign's file and audience, and the audience if there are no errors.
struct CheckedCampaign: Sendable {
    /// The audience; nil if there are errors.
    var audience: PlannedAudience?
    /// The findings, in order.
    var findings: [Diagnostic]
    /// A remark for each optional exclusion of a campaign without a finished run.
    var unknownRuns: [PreviewRemark] = []
}

/// Checks a campaign with its people, which includes sorting them and measuring the bodies.
struct CampaignCheck {
    let source: CampaignSource
    /// Where to find the people of earlier runs that the audience names or excludes.
    let runs: EarlierRuns
    var choice: PeopleChoice = .all
    /// The fallback to plan instead of the campaign, if any.
    var fallback: Campaign?
    /// Whether this is `validate`, which keeps hints and applies ignore comments itself.
    var isLinting = false
    /// An empty sorter to reuse; if nil, a new sorter is made.
    var sorter: SQLiteSorter?
    var now = Date()
    /// Receives all recipients page by page, ordered by name; if it is nil, only the necessary
    /// recipients are read.
    var visit: (([AudienceMember]) -> Void)?
    var observe: @Sendable (AudienceProgress) -> Void = { _ in }

    private var loaded: LoadedCampaign { source.loaded }
    private var settings: EffectiveSettings { source.settings }

    private var conditions: AudienceConditions? { loaded.conditions }
    /// Whether all people are known; if earlier runs were not read, the total is not known.
    private var isWhole: Bool { runs.areRead || conditions?.areInFiles ?? true }

    func checked() async throws -> CheckedCampaign {
        guard let campaign = loaded.campaign,
            let audience = loaded.checkedAudience(isLinting: isLinting)
        else { return CheckedCampaign(findings: shown(inFile + loaded.checkAudienceFiles())) }
        if runs.areRead, let export = conditions?.missingExport {
            throw AudienceUnknown(
                """
                \(export.campaign):\(export.range.line):\(export.range.column): "\(export.path)" \
                is in the exports folder, but the path of that folder is not set. Set \
                HUBSEND_AUDIENCES, give --audiences, or write `audiences:` in hubsend.yaml.
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
        } catch let faults as AudienceFileErrors {
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
            besides: try await runs.sendTimes(of: campaign, at: now), visit: visit, now: now)
    }

    private var inFile: [Diagnostic] {
        loaded.diagnostics + loaded.lint.remarks + (conditions?.staleFiles(at: now) ?? [])
            + (runs.areRead ? [] : conditions?.unchecked ?? [])
            + [loaded.missedStart(at: now)].compactMap(\.self)
    }

    private func inAudience(_ audience: CheckedAudience, _ plan: CampaignPlan) -> [Diagnostic] {
        let faults = plan.problems.filter { isWhole || !$0.isAboutSize }
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

    /// The findings that are not suppressed, in order.
    private func shown(_ findings: [Diagnostic]) -> [Diagnostic] {
        let sorted = loaded.naming(findings).sorted()
        guard !isLinting else { return sorted }
        let left = loaded.lint.ignores.kept(of: sorted.filter { $0.severity != .hint })
        return settings.configIgnores.kept(of: left)
    }
}
