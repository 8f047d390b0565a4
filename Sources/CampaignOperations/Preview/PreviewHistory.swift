import CampaignCore
import Foundation

/// What the store knows of a campaign's earlier sendings to the same hub.
struct PreviewHistory: Sendable {
    /// How many of the latest runs may be rests, before the history ends.
    private static let mostRests = 200

    /// The latest sending to everybody whom the campaign named at that time; nil: there was no such sending.
    let last: RunRecord?
    /// Whether anything of the campaign was ever sent to the hub.
    let isFirst: Bool
    /// How many people had as many silent pushes within the last hour as iOS lets through.
    private(set) var tired = 0

    /// Reads the history.
    ///
    /// - Throws: what audience and ledger throw.
    init(
        of campaign: Campaign, to audience: any AudiencePages, at hub: HubIdentity,
        in ledger: any RunLedger, now: Date
    ) async throws {
        tired = try await SilentBudget(campaign, at: hub, now: now)
            .exceeded(among: audience, in: ledger)
        var search = RunSearch(of: campaign.name, at: hub)
        search.states = [.finished]
        search.limit = Self.mostRests
        last = try await ledger.runs(search).first { !$0.occurrence.isRest }
        search.states = Set(RunState.allCases).subtracting([.staging])
        search.limit = 1
        isFirst = try await ledger.runs(search).isEmpty
    }

    /// - Parameters:
    ///   - last: the latest sending to all.
    ///   - isFirst: whether nothing of the campaign was ever sent to the hub.
    init(last: RunRecord?, isFirst: Bool) {
        self.last = last
        self.isFirst = isFirst
    }
}
