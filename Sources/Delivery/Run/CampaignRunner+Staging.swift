import CampaignCore

extension CampaignRunner {
    /// Stores a run's audience and payloads, so that they can no longer change.
    ///
    /// On failure, the run remains in `staging`.
    ///
    /// - Parameter waves: the order of the people; if empty, they are sorted by name.
    func stage(
        _ run: RunRecord, payload: Payload, audience: PlannedAudience, waves: [RunWave],
        using generator: inout some RandomNumberGenerator
    ) async throws {
        var renderer = PayloadRenderer(payload)
        let planned = audience.plan.counts.final
        // Languages whose shared notification is already stored.
        var shared: Set<LanguageTag?> = []
        var staged = 0
        var unreached = audience.unreached?.walk()
        var ends = waves.map(\.recipients.upperBound)[...]
        while true {
            try Task.checkCancellation()
            observeStaging(.staging(staged, of: planned))
            // Names are sorted only within a wave, so the search restarts with each wave.
            if staged == ends.first {
                ends.removeFirst()
                unreached = audience.unreached?.walk()
            }
            let batch = CampaignPlanner.batch
            let limit = min(batch, ends.first.map { $0 - staged } ?? batch)
            let members = try await audience.people.page(after: staged, limit: limit)
            if members.isEmpty { break }
            var recipients: [StagedRecipient] = []
            recipients.reserveCapacity(members.count)
            for member in members {
                var own: NewNotification?
                let language = renderer.language(of: member)
                if payload.isPersonal {
                    own = try renderer.notification(.random(using: &generator), for: member)
                } else if shared.insert(language).inserted {
                    try await ledger.store(
                        try renderer.notification(.random(using: &generator), in: language),
                        of: run.id)
                }
                var withheld: Set<Platform> = []
                if unreached != nil {
                    let wanted = try await unreached?.person(named: member.username)?.platforms
                    withheld = Set(run.platforms).subtracting(wanted ?? [])
                }
                recipients.append(
                    StagedRecipient(
                        username: member.username, notification: own,
                        language: own == nil ? language : nil, withheld: withheld))
            }
            try await ledger.append(recipients, to: run.id)
            staged += members.count
        }
        guard staged == planned else {
            throw RunError.audienceChanged(planned: planned, staged: staged)
        }
        try await ledger.finishStaging(run.id, counts: audience.plan.counts)
    }
}
