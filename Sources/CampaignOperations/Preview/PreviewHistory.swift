import CampaignCore
import Foundation

/// What the store knows of a campaign's earlier sendings to the same hub.
struct PreviewHistory: Sendable {
    /// How many of the campaign's latest runs are looked at.
    private static let most = 200

    /// The latest sending to everybody whom the campaign named at that time; nil: there was no such sending.
    let last: RunRecord?
    /// Whether anything of the campaign was ever sent to the hub.
    let isFirst: Bool
    /// How many people had as many silent pushes within the last hour as iOS lets through.
    private(set) var tired = 0

    /// Reads the history.
    ///
    /// - Parameters:
    ///   - campaign: the campaign.
    ///   - audience: whom it would go to.
    ///   - hub: where it would go.
    ///   - ledger: where runs are kept; it is only read.
    ///   - now: the current time.
    /// - Throws: what audience and ledger throw.
    init(
        of campaign: Campaign, to audience: any AudiencePages, at hub: HubIdentity,
        in ledger: any RunLedger, now: Date
    ) async throws {
        tired = try await SilentBudget(campaign, at: hub, now: now)
            .exceeded(among: audience, in: ledger)
        let runs = try await ledger.runs(campaign: campaign.name, limit: Self.most).filter { run in
            run.hub == hub && !run.isRehearsal && run.state != .staging
                && run.occurrence.fallbackOf == nil
        }
        last = runs.first { $0.state == .finished && !$0.occurrence.isRest }
        isFirst = runs.isEmpty
    }

    /// - Parameters:
    ///   - last: the latest sending to all.
    ///   - isFirst: whether nothing of the campaign was ever sent to the hub.
    init(last: RunRecord?, isFirst: Bool) {
        self.last = last
        self.isFirst = isFirst
    }
}
