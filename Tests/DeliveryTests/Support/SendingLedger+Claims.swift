import CampaignCore
import FoundationEssentials

extension SendingLedger {
    func claimNext(_ run: RunID, platform: Platform, limit: Int) async throws -> [DeliveryClaim] {
        try await claimNext(run, platform: platform, limit: limit, cap: nil, at: Date()).claims
    }
}
