import CampaignCore
import Foundation

struct PreviewHistory: Sendable {
    /// How many of the latest runs are searched for a run that is not a follow-up run.
    private static let mostRests = 200

    /// The last finished run that was not a follow-up run, if any.
    let last: RunRecord?
    let isFirst: Bool
    /// How many people have used up the silent pushes that iOS allows per hour.
    var silentBudgetUsed = 0
}

extension PreviewHistory {
    init(
        of campaign: Campaign, to audience: any AudiencePages, at hub: HubIdentity,
        in ledger: any RunHistory, now: Date
    ) async throws {
        silentBudgetUsed = try await SilentBudget(campaign: campaign, hub: hub, now: now)
            .exceeded(among: audience, in: ledger)
        var search = RunSearch(of: campaign.name, at: hub)
        search.states = [.finished]
        search.limit = Self.mostRests
        last = try await ledger.runs(search).first { !$0.occurrence.isFollowUp }
        search.states = Set(RunState.allCases).subtracting([.staging])
        search.limit = 1
        isFirst = try await ledger.runs(search).isEmpty
    }
}
