package import CampaignCore
package import FoundationEssentials

/// The next start of a campaign by its schedule, and what was sent by hand before it.
package struct NextStart: Hashable, Sendable {
    package let date: Date
    /// When the campaign was sent by hand, after the start before; nil: it was not.
    package let sentEarly: Date?
    /// Whether it is sent at that start, whatever was sent by hand: a start of `cron` is, one of `at` is not.
    package let stays: Bool

    /// Looks it up.
    ///
    /// - Parameters:
    ///   - hub: where the campaign is sent.
    ///   - ledger: where runs are kept; it is only read. nil: there are none.
    /// - Returns: nil when no start follows.
    /// - Throws: what the ledger throws.
    package init?(
        of campaign: Campaign, at hub: HubIdentity, in ledger: (any RunLedger)?, now: Date
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
            let last = try await Sendings(of: campaign.name, at: hub, in: ledger).lastStaged()
            let isByHand = last.map { $0.occurrence.scheduled == nil && !$0.occurrence.isRest }
            sentEarly = last.flatMap {
                isByHand == true && schedule.next(after: $0.started) == date ? $0.started : nil
            }
            stays = true
        }
    }
}

extension RunRequest {
    /// The start by the campaign's schedule before which this sending would begin by hand, and whether it takes that start's place.
    ///
    /// - Parameters:
    ///   - ledger: where runs are kept; it is only read. nil: there are none.
    /// - Returns: nil for a rehearsal, a rest, a fallback and what is due, and when no start lies ahead that is still to be sent.
    /// - Throws: what the ledger throws.
    package func startAhead(
        in ledger: (any RunLedger)?, now: Date
    ) async throws -> (date: Date, isReplaced: Bool)? {
        switch mode {
        case .occurrence, .again: break
        case .rest, .rehearsal, .fallback: return nil
        }
        guard !isUnattended,
            let next = try await NextStart(of: campaign, at: hub, in: ledger, now: now), next.stays
        else { return nil }
        let own = campaign.ownOccurrence
        guard own.scheduled != nil else { return (next.date, false) }
        if mode == .occurrence(own) { return (next.date, true) }
        guard mode == .again, let ledger else { return (next.date, mode == .again) }
        let isFirst = try await Sendings(of: campaign.name, at: hub, in: ledger)
            .areNone(besides: own)
        return (next.date, isFirst)
    }
}
