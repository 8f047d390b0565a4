package import CampaignCore
package import FoundationEssentials

extension SendingLedger {
    package func claimNext(
        _ run: RunID, platform: Platform, limit: Int, at time: Date = Samples.start + 60
    ) async throws -> [DeliveryClaim] {
        try await claimNext(run, platform: platform, limit: limit, cap: nil, at: time).claims
    }

    package func claimNext(
        _ run: RunID, platform: Platform, wave: Int, limit: Int,
        at time: Date = Samples.start + 60
    ) async throws -> [DeliveryClaim] {
        try await claimNext(
            run, platform: platform, wave: wave, limit: limit, cap: nil, at: time
        ).claims
    }

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await waiting(run, platform: platform, after: number, through: nil, limit: limit)
    }
}
