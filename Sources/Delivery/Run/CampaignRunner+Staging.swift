import CampaignCore
import FoundationEssentials
import Logging

extension CampaignRunner {
    /// Plans the audience, writes a run down and stages it.
    ///
    /// - Parameters:
    ///   - request: what to run.
    ///   - found: the run whose staging was interrupted and which is staged anew; nil: none.
    ///   - steady: the time of day, by which the run starts.
    ///   - audience: plans the audience.
    /// - Returns: the run, staged.
    /// - Throws: as ``run(_:audience:)``.
    func begin(
        _ request: RunRequest, replacing found: RunRecord?, by steady: SteadyTime,
        audience: () async throws -> PlannedAudience
    ) async throws -> RunRecord {
        let planned = try await audience()
        let timeline = Timeline(clock)
        guard planned.plan.faults.isEmpty else {
            throw RunError.refused(campaign: request.campaign.name, planned.plan.faults)
        }
        if let rest = planned.rest {
            // Planned without the lock: another process may have sent that rest meanwhile.
            let last = try await Self.lastFinishedRun(
                of: request.campaign.name, at: request.hub, in: ledger)
            guard last?.id == rest.run else {
                throw RunError.restIsGone(campaign: request.campaign.name, of: rest.run)
            }
        }
        var generator = random
        let start = steady.now
        let id = found?.id ?? RunID.make(startingAt: start, using: &generator)
        var occurrence = found?.occurrence
        if occurrence == nil, request.mode == .again,
            try await Self.isUnsent(request.campaign.name, at: request.hub, in: ledger)
        {
            // A later `run` without `--again` has to find that it was sent.
            occurrence = .once
        }
        var run = newRecord(request, id: id, occurrence: occurrence, start: start)
        if planned.rest != nil { run.platforms = planned.plan.platforms.map(\.platform) }
        if found != nil { try await ledger.clearStaging(id) }
        try await ledger.begin(run)
        logger.info("Staging a run", metadata: ["run": "\(id)"])
        try await RunStager(ledger: ledger, observe: observeStaging).stage(
            id, payload: request.campaign.payload, platforms: run.platforms, audience: planned,
            using: &generator)
        logger.info(
            "Staged a run",
            metadata: [
                "run": "\(id)", "recipients": "\(planned.plan.counts.final)",
                "seconds-staging": "\(timeline.now / .seconds(1))",
            ])
        guard let staged = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        return staged
    }

    private func newRecord(
        _ request: RunRequest, id: RunID, occurrence: Occurrence?, start: Date
    ) -> RunRecord {
        let campaign = request.campaign
        let own: Occurrence =
            switch request.mode {
            case .occurrence(let occurrence): occurrence
            case .again: .again(id)
            case .rest: .rest(id)
            case .rehearsal: .rehearsal(id)
            }
        return RunRecord(
            id: id, campaign: campaign.name, hub: request.hub, occurrence: occurrence ?? own,
            isRehearsal: request.mode == .rehearsal, state: .staging, kind: campaign.kind,
            platforms: campaign.platforms, isMessagePrivate: campaign.payload.isMessagePrivate,
            campaignPath: request.campaignPath, delivery: campaign.delivery,
            fingerprints: campaign.fingerprints, started: start,
            expires: start.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1)))
    }
}
