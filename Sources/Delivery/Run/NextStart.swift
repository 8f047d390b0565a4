package import CampaignCore
package import FoundationEssentials

/// The next scheduled start, and whether it was already sent by hand.
package struct NextStart: Hashable, Sendable {
    package let date: Date
    /// When the campaign was sent by hand after the previous start.
    package let sentEarly: Date?
    /// Whether the start will be sent even though the campaign was sent by hand: true for `cron`,
    /// false for `at`.
    package let stays: Bool

    /// Returns nil if no start follows.
    ///
    /// A nil `ledger` means that there are no runs.
    package init?(
        of campaign: Campaign, at hub: HubIdentity, in ledger: (any RunHistory)?, now: Date
    ) async throws {
        guard let schedule = campaign.schedule, let date = schedule.next(after: now) else {
            return nil
        }
        self.date = date
        let own = campaign.ownOccurrence
        guard let ledger else {
            (sentEarly, stays) = (nil, true)
            return
        }
        if own.scheduled != nil {
            let run = try await ledger.run(hub: hub, campaign: campaign.name, occurrence: own)
            sentEarly = run.flatMap { $0.state == .staging ? nil : $0.started }
            stays = sentEarly == nil
        } else {
            let last = try await ledger.lastStaged(of: campaign.name, at: hub)
            let isByHand = last.map { $0.occurrence.scheduled == nil && !$0.occurrence.isFollowUp }
            sentEarly = last.flatMap {
                isByHand == true && schedule.next(after: $0.started) == date ? $0.started : nil
            }
            stays = true
        }
    }
}

extension RunRequest {
    /// The next scheduled start, and whether this sending by hand replaces it.
    ///
    /// Returns nil for rehearsals, follow-up runs, fallbacks and due runs, or if there is no future
    /// start.
    package func startAhead(
        in ledger: (any RunHistory)?, now: Date
    ) async throws -> (date: Date, isReplaced: Bool)? {
        switch mode {
        case .occurrence, .again: break
        case .followUp, .rehearsal, .fallback: return nil
        }
        guard !isUnattended,
            let next = try await NextStart(of: campaign, at: hub, in: ledger, now: now), next.stays
        else { return nil }
        let own = campaign.ownOccurrence
        guard own.scheduled != nil else { return (next.date, false) }
        if mode == .occurrence(own) { return (next.date, true) }
        guard mode == .again, let ledger else { return (next.date, mode == .again) }
        return (next.date, try await ledger.hasNone(of: campaign, at: hub))
    }
}
