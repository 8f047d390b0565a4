import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

extension ServerPart {
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        let (key, member) = (binding.key, binding.member)
        if !store.comeback.isRecent {
            try await store.write { db in
                try RunMembers.takeOverExpired(of: key, by: member, db)
            }
        }
        let abandoned = AbandonedDeliveries(of: key, as: state, detail: detail, at: time)
        var sum = try await settle(abandoned) { db in try abandoned.settlePage(db) }
        let run = binding.run
        let positions = try await store.read { db in
            try RunPlatform.all(of: StoredRun(of: run, db), db).map(\.position)
        }
        for position in positions {
            sum += try await settle(abandoned) { db in
                try abandoned.settleSending(on: position, db)
            }
        }
        return sum
    }

    /// Settles a few thousand deliveries at a time, until `body` returns nil.
    private func settle(
        _ abandoned: AbandonedDeliveries,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> AbandonedDeliveries.Step?
    ) async throws -> Int {
        var sum = 0
        while true {
            let latest = Mutex<AbandonedDeliveries.Step?>(nil)
            let step = try await store.write { db in
                if let step = latest.withLock(\.self), try abandoned.isDone(step, db) {
                    return Optional(step)
                }
                let step = try body(db)
                latest.withLock { $0 = step }
                return step
            }
            guard let step else { return sum }
            sum += step.count
        }
    }

    func letGo(_ numbers: [Int], on platform: Platform) async throws {
        let (run, member) = (binding.run, binding.member)
        for first in stride(from: 0, to: numbers.count, by: TransactionLimit.rows) {
            let slice = Array(numbers[first...].prefix(TransactionLimit.rows))
            try await store.write { db in
                let stored = try StoredRun(of: run, db)
                let found = try RunPlatform.find(platform, of: stored, id: run, db)
                try db.execute(
                    """
                    UPDATE deliveries SET member = NULL
                    WHERE run = $1 AND platform = $2 AND number = ANY ($3) AND member = $4
                        AND state = \(DeliveryState.waiting.rawValue)
                    """, [stored.key, found.position, slice, member])
            }
        }
    }
}

/// Whether this process has just come back after one of its leases had ended.
///
/// Usually the server was away for all processes of the run. The first one back would take over the
/// others, so it spares them for a moment, also in new parts.
final class Comeback: Sendable {
    /// How long others may need to find the server again.
    private static let grace = Duration.seconds(5)

    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// A lease had ended when it was renewed.
    func note() {
        end.withLock { $0 = .now + Self.grace }
    }

    var isRecent: Bool {
        end.withLock { end in end.map { .now < $0 } ?? false }
    }
}
