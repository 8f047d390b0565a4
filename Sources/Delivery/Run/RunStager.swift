import CampaignCore

/// Writes a run's audience and payloads down, so that nothing of them can change any more.
struct RunStager {
    private static let batch = 5_000

    let ledger: any RunLedger
    /// Is told how many people stand in the store, once for a few thousand.
    let observe: @Sendable (AudienceProgress) -> Void

    /// Stages a run that was just begun, and ends its staging.
    ///
    /// - Parameters:
    ///   - run: the run, in state `staging` and with nothing staged.
    ///   - payload: what its recipients get.
    ///   - platforms: where they get it.
    ///   - audience: who they are.
    ///   - generator: where ids come from.
    /// - Throws: ``RunError``; what the ledger and the audience throw; `CancellationError`. The run then stays `staging`.
    func stage(
        _ run: RunID, payload: Payload, platforms: [Platform], audience: PlannedAudience,
        using generator: inout some RandomNumberGenerator
    ) async throws {
        let renderer = PayloadRenderer(payload)
        let planned = audience.plan.counts.final
        if !payload.isPersonal {
            let shared = try notification(for: nil, renderer, using: &generator)
            try await ledger.store(shared, of: run)
        }
        var staged = 0
        var rest = audience.rest?.walk()
        while true {
            try Task.checkCancellation()
            observe(.staging(staged, of: planned))
            let members = try await audience.people.page(after: staged, limit: Self.batch)
            if members.isEmpty { break }
            var recipients: [StagedRecipient] = []
            recipients.reserveCapacity(members.count)
            for member in members {
                let own =
                    payload.isPersonal
                    ? try notification(for: member, renderer, using: &generator) : nil
                var withheld: Set<Platform> = []
                if let wanted = try await rest?.platforms(of: member.username) {
                    withheld = Set(platforms).subtracting(wanted)
                }
                recipients.append(
                    StagedRecipient(
                        username: member.username, notification: own, withheld: withheld))
            }
            try await ledger.append(recipients, to: run)
            staged += members.count
        }
        guard staged == planned else {
            throw RunError.audienceChanged(planned: planned, staged: staged)
        }
        try await ledger.finishStaging(run, counts: audience.plan.counts)
    }

    private func notification(
        for member: AudienceMember?, _ renderer: PayloadRenderer,
        using generator: inout some RandomNumberGenerator
    ) throws(RunError) -> NewNotification {
        do {
            return try renderer.notification(.random(using: &generator), for: member)
        } catch {
            throw .unrenderable(variable: error.name)
        }
    }
}
