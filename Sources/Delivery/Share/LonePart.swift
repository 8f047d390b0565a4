import CampaignCore
import FoundationEssentials

/// The part of a process that works on a run alone and cannot be taken over by other processes.
struct LonePart: RunPart {
    let run: RunRecord
    let ledger: any SendingLedger

    var lease: RunLease? { nil }

    func exchange(_ report: WorkerReport) async throws -> RunNews {
        RunNews(
            state: .running, stopRequest: try await ledger.stopRequest(run.id),
            rate: run.delivery.rate)
    }

    /// Settles deliveries that an earlier process left as `sending`.
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        var count = 0
        for platform in run.platforms {
            var last = 0
            while true {
                let claims = try await ledger.interrupted(
                    run.id, platform: platform, after: last, limit: OutcomeJournal.batchLimit)
                guard let end = claims.last else { break }
                last = end.number
                count += claims.count
                try await ledger.record(
                    claims.map {
                        DeliveryRecord(
                            number: $0.number, platform: platform, state: state,
                            attempts: $0.attempts, isUncertain: $0.isUncertain, detail: detail,
                            hubMessage: nil, recordedAt: time)
                    }, requests: 0, of: run.id)
            }
        }
        return count
    }

    func letGo(_ numbers: [Int], on platform: Platform) async throws {}

    func leave() async throws {}
}
