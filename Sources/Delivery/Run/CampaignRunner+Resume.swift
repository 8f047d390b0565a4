package import CampaignCore

extension CampaignRunner {
    /// Continues a run that was stopped, paused or ended by a crash; its audience and payloads are those it was staged with.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - hub: the hub that the sender reaches; a run is never continued on another than its own.
    ///   - campaign: the campaign file as it is now, of which only `delivery` is taken; nil: the run goes on with its own.
    /// - Returns: what became of it.
    /// - Throws: ``RunError``; what ledger and lock throw.
    package func resume(
        _ id: RunID, at hub: HubIdentity, campaign: Campaign? = nil
    ) async throws -> RunSummary {
        guard let known = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        let held = try hold(known.campaign)
        defer { held.release() }
        let steady = SteadyTime(clock, from: now())
        // Only what is read with the lock held is sure.
        guard let found = try await ledger.run(id) else { throw RunError.noSuchRun(id) }
        guard found.hub == hub else {
            throw RunError.otherHub(id, begun: found.hub, configured: hub)
        }
        switch found.state {
        case .finished:
            return try await summarize(
                found, changed: campaign.map { changedKeys(from: found, to: $0) } ?? [])
        case .staging:
            throw RunError.notStaged(id, campaign: found.campaign)
        case .stopped, .paused, .running:
            try await ledger.clearStopRequest(id)
            let run = try await proceed(found, with: campaign?.delivery ?? found.delivery)
            return try await send(
                run, by: steady, warnings: campaign.map { changes(from: found, to: $0) } ?? [])
        }
    }
}
