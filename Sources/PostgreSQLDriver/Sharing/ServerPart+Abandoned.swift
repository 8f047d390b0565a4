import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

extension ServerPart {
    /// Some deliveries that were settled: the platform's position in the run and the deliveries'
    /// numbers.
    private typealias Step = (position: Int, numbers: [Int])

    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        if !store.comeback.isRecent {
            try await write { db in try RunMember.takeOverExpired(of: key, by: member, db) }
        }
        let time = StoredTime.milliseconds(time)
        let detail = detail.isEmpty ? nil : StoredText.encode(detail)
        let fate: [any PostgreSQLBindable] = [DeliveryState(state).rawValue, detail, time]
        var sum = try await settle(at: time) { db in try settlePage(as: fate, db) }
        let positions = try await query { db in
            try RunPlatform.all(of: StoredRun(of: runID, db), db).map(\.position)
        }
        for position in positions {
            sum += try await settle(at: time) { db in
                let settled = try db.rows(
                    Self.sending, [key, position] + fate + [TransactionLimit.rows])
                return settled.isEmpty ? nil : (position, try settled.map { try $0.int(0) })
            }
        }
        return sum
    }

    /// Settles a few thousand deliveries at a time, until `body` returns nil.
    private func settle(
        at time: Int64, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Step?
    ) async throws -> Int {
        var sum = 0
        while true {
            let step = try await writeOnce { (earlier: Step??, db) in
                if let step = earlier ?? nil, try isDone(step, at: time, db) { return step }
                return try body(db)
            }
            guard let step else { return sum }
            sum += step.numbers.count
        }
    }

    /// Whether a transaction whose answer was lost was committed.
    private func isDone(_ step: Step, at time: Int64, _ db: PostgreSQLConnection) throws -> Bool {
        guard let number = step.numbers.first else { return false }
        return try db.row(
            """
            SELECT 1 FROM deliveries
            WHERE run = $1 AND platform = $2 AND number = $3 AND recorded = $4
                AND state <> \(DeliveryState.sending.rawValue)
            """, [key, step.position, number, time]) != nil
    }

    /// Settles a page that belongs to nobody, or the beginning of a long page; returns nil if there
    /// is none.
    private func settlePage(
        as fate: [any PostgreSQLBindable], _ db: PostgreSQLConnection
    ) throws -> Step? {
        let page = try db.row(
            """
            SELECT platform, first, last FROM claimed_pages WHERE run = $1 AND member IS NULL
            ORDER BY platform, first LIMIT 1 FOR UPDATE SKIP LOCKED
            """, [key])
        guard let page else { return nil }
        let (position, first, end) = (try page.int(0), try page.int(1), try page.int(2))
        guard first <= end else { throw DamagedValue() }
        let last = min(end, first + TransactionLimit.rows - 1)
        let settled = try db.rows(Self.unwritten, [key, position, first, last] + fate)
        let isMeant = "WHERE run = $1 AND platform = $2 AND first = $3"
        if last < end {
            try db.execute(
                "UPDATE claimed_pages SET first = $4 \(isMeant)", [key, position, first, last + 1])
        } else {
            try db.execute("DELETE FROM claimed_pages \(isMeant)", [key, position, first])
        }
        return (position, try settled.map { try $0.int(0) })
    }

    /// Settles the deliveries of a page that have no row; withheld, skipped or forgotten people
    /// have one.
    private static let unwritten = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT $1, $2, r.number, $5::smallint, 1, true, $7, $6
        FROM recipients r
        WHERE r.run = $1 AND r.number >= $3 AND r.number <= $4
            AND r.number NOT IN (
                SELECT number FROM deliveries
                WHERE run = $1 AND platform = $2 AND number >= $3 AND number <= $4
            )
        ORDER BY r.number
        ON CONFLICT (run, platform, number) DO NOTHING
        RETURNING number
        """

    /// Settles deliveries that belong to nobody and were claimed again after waiting.
    ///
    /// They are found by number, whatever the server's statistics are.
    private static let sending = """
        UPDATE deliveries
        SET state = $3::smallint, attempts = attempts + 1, is_uncertain = true, recorded = $5,
            detail = $4, hub_message = NULL
        WHERE run = $1 AND platform = $2 AND number = ANY(ARRAY(
            SELECT number FROM deliveries
            WHERE run = $1 AND member IS NULL AND state < 2
                AND state = \(DeliveryState.sending.rawValue) AND platform = $2
            ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED))
        RETURNING number
        """
}

/// Whether this process has just returned after one of its leases expired.
///
/// Usually, the server was unavailable to all processes of the run. The first process to return
/// would take over the others, so it spares them for a moment, even in new parts.
final class Comeback: Sendable {
    /// How long others may need to reach the server again.
    private static let grace = Duration.seconds(5)

    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// Records that a lease had ended when it was renewed.
    func note() {
        end.withLock { $0 = .now + Self.grace }
    }

    var isRecent: Bool {
        end.withLock { end in end.map { .now < $0 } ?? false }
    }
}
