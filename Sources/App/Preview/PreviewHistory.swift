import CampaignCore
import Foundation

struct PreviewHistory: Sendable {
    /// At most this many of the latest runs may be rests before the history ends.
    private static let mostRests = 200

    /// The latest sending to everybody whom the campaign named then, if there was one.
    let last: RunRecord?
    let isFirst: Bool
    /// How many people had all the silent pushes that iOS lets through in the last hour.
    var tired = 0
}

extension PreviewHistory {
    init(
        of campaign: Campaign, to audience: any AudiencePages, at hub: HubIdentity,
        in ledger: any RunHistory, now: Date
    ) async throws {
        tired = try await SilentBudget(campaign: campaign, hub: hub, now: now)
            .exceeded(among: audience, in: ledger)
        var search = RunSearch(of: campaign.name, at: hub)
        search.states = [.finished]
        search.limit = Self.mostRests
        last = try await ledger.runs(search).first { !$0.occurrence.isRest }
        search.states = Set(RunState.allCases).subtracting([.staging])
        search.limit = 1
        isFirst = try await ledger.runs(search).isEmpty
    }
}
