import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

/// Plans runs: reads the store, and the audience if a run has to be staged.
struct RunPlanner: Sendable {
    /// How often to check whether another host has staged the run.
    private static let pollInterval: Duration = .milliseconds(250)

    let call: RunCall
    let hub: HubIdentity
    /// The store; nil if it does not exist yet.
    let store: (any Store)?
    var rehearsal: Rehearsal?
    /// The saved plan that the campaign must match, if any.
    var saved: OpenedPlan?

    /// Plans a run that a person asked for, or that is due.
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
                    try await call.mentionRunAtOtherHub(request, in: store)
                }
                run.errors = source.loaded.diagnostics
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
            run.errors = checked.findings.filter { $0.severity == .error }
            guard run.errors.isEmpty else { return run }
        } else {
            // The run is staged, so files that are missing now are no longer needed.
            run.warnings = source.loaded.warnings
        }
        if let begun, let store {
            run.others = try await PlannedRun.OtherProcesses(on: begun, in: store)
        }
        if let saved, let maker, step.sends {
            try saved.check(
                maker, run.audience, continuing: begun?.id, for: request, at: Date(),
                settings: call.settings)
        }
        return run
    }

    /// Plans a run that is due; nil for a fallback without recipients.
    func plan(
        due mode: RunRequest.Mode, of campaign: Campaign, in source: CampaignSource
    ) async throws -> PlannedRun? {
        defer { call.bar.clear() }
        guard let sent = campaign.sent(as: mode, at: Date()) else { return nil }
        let run = try await plan(sent, of: source, as: mode, isUnattended: true)
        if case .fallback(let parent) = mode, run.emptyFollowUp != nil {
            // Everybody has fetched the payload or left the audience, so this is not tried again.
            // If the audience itself is empty or too small, that is an error.
            try await store?.noteFallback(of: parent.id, requests: parent.requests)
            return nil
        }
        return run
    }

    /// Waits while another host stages the run, because this host may lack the campaign's files.
    private func step(for request: RunRequest) async throws -> RunStep {
        guard let store else { return .begin }
        while true {
            let step = try await RunStep(for: request, in: store)
            let campaign = request.campaign.name
            guard case .stage = step, store.sharing != nil, !request.isUnattended,
                try await store.isWorkedOn(campaign: campaign)
            else { return step }
            call.sayLocked(campaign)
            try await Task.sleep(for: Self.pollInterval)
        }
    }
}
