import CampaignCore
import FoundationEssentials
import Synchronization

/// A part of a run whose news comes from a script.
final class ScriptedPart: RunPart {
    struct Away: Error {}

    /// - Parameters: the report, and its number, from 1.
    typealias Script = @Sendable (WorkerReport, Int) throws -> RunNews

    let ledger: any SendingLedger
    let lease: RunLease?
    private let script: Script
    private let state = Mutex<[WorkerReport]>([])
    private let free = Mutex<[Platform: [Int]]>([:])

    init(
        _ ledger: any SendingLedger,
        lease: RunLease = RunLease(until: .now + .seconds(3_600)), script: @escaping Script
    ) {
        self.ledger = ledger
        self.lease = lease
        self.script = script
    }

    var reports: [WorkerReport] { state.withLock(\.self) }
    var leftToOthers: [Platform: [Int]] { free.withLock(\.self) }

    func exchange(_ report: WorkerReport) async throws -> RunNews {
        let number = state.withLock { reports in
            reports.append(report)
            return reports.count
        }
        return try script(report, number)
    }

    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int { 0 }

    func letGo(_ numbers: [Int], on platform: Platform) async throws {
        free.withLock { $0[platform, default: []] += numbers }
    }

    func leave() async throws {}
}
