import CampaignCore
import Delivery
import Foundation

/// Counts people who got so many silent pushes that iOS may hold back the next push.
///
/// iOS delivers only two or three an hour (Apple, "Pushing background updates to your App").
struct SilentBudget {
    /// The number of pushes after which the next push may not wake the device.
    private static let budget = FrequencyCap(pushes: 2, period: .seconds(60 * 60))
    private static let batch = 5_000

    let campaign: Campaign
    let hub: HubIdentity
    let now: Date

    /// Returns how many people have used up their budget in the last hour.
    ///
    /// The audience is read only if a run used the hub in that time.
    func exceeded(
        among audience: any AudiencePages, in ledger: any RunHistory
    ) async throws -> Int {
        let texts = campaign.payload.texts(on: .apns)
        guard campaign.kind.isSilent, campaign.platforms.contains(.apns), texts.placeholder == nil,
            try await wasSentLately(in: ledger)
        else { return 0 }
        var (seen, exceeded) = (0, 0)
        while true {
            try Task.checkCancellation()
            let page = try await audience.page(after: seen, limit: Self.batch)
            if page.isEmpty { return exceeded }
            seen += page.count
            exceeded += try await ledger.capped(
                page.map(\.username), on: .apns, at: hub, besides: nil, by: Self.budget, at: now)
        }
    }

    private func wasSentLately(in ledger: any RunHistory) async throws -> Bool {
        let start = Self.budget.start(before: now)
        var search = RunSearch(of: nil, at: hub)
        search.states.remove(.staging)
        search.endedAfter = start
        return try await ledger.runs(search).contains { $0.platforms.contains(.apns) }
    }
}
