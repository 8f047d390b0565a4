import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

/// Plans runs of campaigns: reads the store, and the audiences of runs that must be staged.
struct RunPlanner: Sendable {
    /// How often to check whether another host has staged a run.
    private static let lookInterval: Duration = .milliseconds(250)

    let call: RunCall
    let hub: HubIdentity
    /// nil: there is none yet.
    let store: (any Store)?
    var rehearsal: Rehearsal?
    /// The plan to keep to.
    var saved: OpenedPlan?

    /// Plans a run of a campaign, as a person asks for it or as it is due.
    func plan(
        _ campaign: Campaign, of source: CampaignSource, as mode: RunRequest.Mode,
        isUnattended: Bool = false
    ) async throws -> PlannedRun {
        let path = source.loaded.path
        let invocation = call.settings.invocation
        let request = RunRequest(
            campaign: campaign, hub: hub, mode: mode,
            campaignPath: path == "-" ? "-" : invocation.absolute(path), plan: saved?.id,
            isUnattended: isUnattended, starter: invocation.starter)
        let maker = saved?.maker(of: campaign, in: source.loaded, settings: call.settings)
        let step = try await step(for: request)
        let begun: RunRecord? = if case .proceed(let found) = step { found } else { nil }
        do {
            try step.requireSame(saved?.id)
        } catch {
            let resumption = begun.map { call.settings.command("resume", $0.id.text) } ?? ""
            throw Refused("\(error) To continue it: \(resumption)", status: error.status)
        }
        if !step.sends { try saved?.requireSending(request.mode) }
        var run = PlannedRun(entry: .run(request, step))
        if step.stagesAudience {
            guard source.loaded.campaign != nil else {
                if let store, !isUnattended {
                    try await call.mentionElsewhere(request, in: store)
                }
                run.faults = source.loaded.diagnostics
                return run
            }
            run.ahead = try await ScheduleAhead(request, by: saved, in: store, now: Date())
            let checked = try await CampaignCheck(
                source: source, runs: .read(.success(store), at: .success(hub)),
                choice: try await PeopleChoice(request, rehearsal: rehearsal, in: store),
                fallback: request.isFallback ? campaign : nil, visit: maker?.tally.add,
                observe: call.bar.update
            ).checked()
            run.audience = checked.audience
            run.warnings = checked.findings
            run.unknownRuns = checked.unknownRuns
            run.faults = checked.findings.filter { $0.severity == .error }
            guard run.faults.isEmpty else { return run }
        } else {
            // Files that are missing now existed when the run was staged.
            run.warnings = source.loaded.warnings
        }
        if let begun, let store {
            run.company = try await PlannedRun.Company(on: begun, in: store)
        }
        if let saved, let maker, step.sends {
            try saved.check(
                maker, run.audience, continuing: begun?.id, for: request, at: Date(),
                settings: call.settings)
        }
        return run
    }

    /// Plans a sending that is due without a person; nil for a fallback that nobody is left for.
    func plan(
        due mode: RunRequest.Mode, of campaign: Campaign, in source: CampaignSource
    ) async throws -> PlannedRun? {
        defer { call.bar.clear() }
        guard let sent = campaign.sent(as: mode, at: Date()) else { return nil }
        let run = try await plan(sent, of: source, as: mode, isUnattended: true)
        if case .fallback(let parent) = mode, run.emptyRest != nil {
            // Everybody has fetched or left the audience, so nobody is looked for again. An
            // audience of nobody, or of too few people, is an error instead.
            try await store?.noteFallback(of: parent.id, requests: parent.requests)
            return nil
        }
        return run
    }

    /// Waits while another host stages the run, since this host may lack the campaign's files.
    private func step(for request: RunRequest) async throws -> RunStep {
        guard let store else { return .begin }
        while true {
            let step = try await RunStep(for: request, in: store)
            let campaign = request.campaign.name
            guard case .stage = step, store.sharing != nil, !request.isUnattended,
                try await store.isWorkedOn(campaign: campaign)
            else { return step }
            call.sayLocked(campaign)
            try await Task.sleep(for: Self.lookInterval)
        }
    }
}
