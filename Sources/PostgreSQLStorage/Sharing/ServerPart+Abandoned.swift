import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

extension ServerPart {
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        0
    }

    func letGo(_ numbers: [Int], on platform: Platform) async throws {}
}
