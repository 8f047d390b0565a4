import CampaignCore

extension CampaignRunner {
    /// Stores a run's audience and payloads, so that they cannot change any more; on failure the
    /// run stays `staging`.
    ///
    /// - Parameter waves: the order of the people; empty: by name.
    func stage(
        _ run: RunRecord, payload: Payload, audience: PlannedAudience, waves: [RunWave],
        using generator: inout some RandomNumberGenerator
    ) async throws {
        var renderer = PayloadRenderer(payload)
        let planned = audience.plan.counts.final
        // Stored when the first person who gets it comes.
        var shared: Set<LanguageTag?> = []
        var staged = 0
        var rest = audience.rest?.walk()
        var ends = waves.map(\.recipients.upperBound)[...]
        while true {
            try Task.checkCancellation()
            observeStaging(.staging(staged, of: planned))
            // Names are in order only within a wave, so each wave needs a new walk.
            if staged == ends.first {
                ends.removeFirst()
                rest = audience.rest?.walk()
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
                if rest != nil {
                    let wanted = try await rest?.person(named: member.username)?.platforms
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
