import CampaignCore

/// Stores a run's audience and payloads, so that they cannot change any more.
struct RunStager {
    private static let batch = 5_000

    let ledger: any StagingLedger
    /// Called every few thousand people.
    let observe: @Sendable (AudienceProgress) -> Void

    /// Stages a new run; on failure it stays `staging`.
    ///
    /// - Parameter waves: the order of the people; empty: by name.
    func stage(
        _ run: RunID, payload: Payload, platforms: [Platform], audience: PlannedAudience,
        waves: [RunWave], using generator: inout some RandomNumberGenerator
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
            observe(.staging(staged, of: planned))
            // Names are in order only within a wave, so each wave needs a new walk.
            if staged == ends.first {
                ends.removeFirst()
                rest = audience.rest?.walk()
            }
            let limit = min(Self.batch, ends.first.map { $0 - staged } ?? Self.batch)
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
                        of: run)
                }
                var withheld: Set<Platform> = []
                if let wanted = try await rest?.platforms(of: member.username) {
                    withheld = Set(platforms).subtracting(wanted)
                }
                recipients.append(
                    StagedRecipient(
                        username: member.username, notification: own,
                        language: own == nil ? language : nil, withheld: withheld))
            }
            try await ledger.append(recipients, to: run)
            staged += members.count
        }
        guard staged == planned else {
            throw RunError.audienceChanged(planned: planned, staged: staged)
        }
        try await ledger.finishStaging(run, counts: audience.plan.counts)
    }
}
