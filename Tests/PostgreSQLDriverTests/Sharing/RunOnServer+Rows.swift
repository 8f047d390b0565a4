import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import Testing

@testable import PostgreSQLDriver

extension RunOnServer {
    init(
        _ run: RunRecord = Samples.run(platforms: [.apns]),
        stage: (StoreUnderTest) async throws -> Void
    ) async throws {
        server = try await StoreOnServer()
        store = try server.open()
        self.run = run
        try await stage(try StoreUnderTest { [store] in store })
    }

    struct Row: Hashable, Sendable {
        let number: Int
        let state: DeliveryState
        var attempts = 1
        var isUncertain = false
        /// nil if it belongs to no part.
        var member: Int64?
    }

    /// All deliveries, sorted by number.
    func rows() async throws -> [Row] {
        try await store.read { [run] db in
            try db.rows(
                """
                SELECT number, state, attempts, is_uncertain, member FROM deliveries
                WHERE run = (SELECT key FROM runs WHERE id = $1) ORDER BY number
                """, [run.id.text]
            ).map { row in
                Row(
                    number: try row.int(0),
                    state: try #require(DeliveryState(rawValue: try row.int(1))),
                    attempts: try row.int(2), isUncertain: try row.bool(3),
                    member: try row.optionalInt64(4))
            }
        }
    }
}

extension ServerPart {
    func claim(_ limit: Int, wave: Int? = nil, cap: FrequencyCap? = nil) async throws -> ClaimedPage
    {
        try await claimNext(
            runID, platform: .apns, wave: wave, limit: limit, cap: cap,
            at: Samples.start + 60)
    }

    func record(
        _ numbers: [Int], _ state: DeliveryRecord.State, attempts: Int = 1,
        isUncertain: Bool = false
    ) async throws {
        try await record(
            numbers.map {
                Samples.record($0, .apns, state, attempts: attempts, isUncertain: isUncertain)
            }, requests: numbers.count, of: runID)
    }

    /// Waiting deliveries that belonged to no part.
    func adopt(after number: Int = 0, through last: Int? = nil, limit: Int = 1_000) async throws
        -> [DeliveryClaim]
    {
        try await waiting(
            runID, platform: .apns, after: number, through: last, limit: limit)
    }

    func claimAgain(_ numbers: [Int]) async throws {
        try await claimAgain(
            runID, platform: .apns, numbers: numbers, at: Samples.start + 70)
    }

    func settle(_ state: DeliveryRecord.State = .waiting) async throws -> Int {
        try await settleAbandoned(as: state, detail: "left behind", at: Samples.start + 80)
    }
}
