import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

extension PostgreSQLStore {
    /// Claims a page for a part.
    ///
    /// A transaction whose answer was lost may have been committed; the next try finds the page by
    /// its number, and returns it.
    func make(_ claim: PageClaim, for part: PartBinding) async throws -> ClaimedPage {
        let serial = part.serials.next()
        let latest = Mutex<PageClaim.Claimed?>(nil)
        let claimed = try await write { db in
            let claimed = try claim.claim(for: part, serial, after: latest.withLock(\.self), db)
            latest.withLock { $0 = claimed }
            return claimed
        }
        var page = claimed.page
        if let numbers = claimed.unread {
            let choice = try await read { db in try claim.people(numbers, of: claimed, db) }
            if !choice.skipped.isEmpty {
                try await write { db in
                    try db.insert(choice.skipped, of: claimed.stored) { _ in claimed.position }
                }
            }
            page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
        }
        guard !page.claims.isEmpty else {
            // Nothing of it is left to record, or others have taken over the part.
            if claimed.unread != nil || !page.isEmpty {
                try await write { db in try ClaimedPages.close([serial], of: part, db) }
            }
            return page
        }
        page.id = serial
        return page
    }

    /// Takes waiting deliveries of nobody, up to a limit.
    func adopt(
        _ run: RunID, on platform: Platform, _ numbers: Range<Int>, limit: Int,
        for part: PartBinding
    ) async throws -> [DeliveryClaim] {
        // Taken by a transaction whose answer was lost.
        let latest = Mutex<[Int]>([])
        return try await write { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            let place: [any PostgreSQLBindable] = [
                stored.key, found.position, numbers.lowerBound, numbers.upperBound,
            ]
            let taken = latest.withLock(\.self)
            var rows: [PostgreSQLRow] = []
            if !taken.isEmpty {
                // Waits until that transaction has ended; the next statement sees its result.
                _ = try db.rows(Self.lockingTaken, [stored.key, found.position, taken])
                rows = try db.rows(Self.taken, place + [part.member, taken])
            }
            if rows.isEmpty { rows = try db.rows(Self.taking, place + [part.member, limit]) }
            guard !rows.isEmpty else { return [] }
            let numbers = try rows.map { try $0.int(0) }
            latest.withLock { $0 = numbers }
            return try ClaimQuery.fetch(
                Self.adopted, [stored.key, found.position, StoredJSON.encode(numbers)],
                isDense: false, of: stored, on: platform, keyring: keyring, db)
        }
    }

    /// Takes waiting deliveries of nobody, found by number, whatever the server's statistics.
    private static let taking = """
        UPDATE deliveries SET member = $5
        WHERE run = $1 AND platform = $2 AND number = ANY(ARRAY(
            SELECT number FROM deliveries
            WHERE run = $1 AND member IS NULL AND state < 2
                AND state = \(DeliveryState.waiting.rawValue)
                AND platform = $2 AND number > $3 AND number <= $4
            ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED))
        RETURNING number
        """

    private static let lockingTaken = """
        SELECT 1 FROM deliveries WHERE run = $1 AND platform = $2 AND number = ANY($3)
        ORDER BY number FOR UPDATE
        """

    private static let taken = """
        SELECT number FROM deliveries
        WHERE run = $1 AND platform = $2 AND number > $3 AND number <= $4 AND member = $5
            AND number = ANY($6) AND state = \(DeliveryState.waiting.rawValue)
        """

    private static let adopted = """
        SELECT d.number, r.name, r.notification, d.attempts, d.is_uncertain
        FROM json_array_elements_text(?3::json) AS n
        CROSS JOIN LATERAL (
            SELECT number, attempts, is_uncertain FROM deliveries
            WHERE run = ?1 AND platform = ?2 AND number = n.value::bigint LIMIT 1
        ) d
        CROSS JOIN LATERAL (
            SELECT name, notification FROM recipients WHERE run = ?1 AND number = d.number LIMIT 1
        ) r
        """

    /// Marks a part's waiting deliveries as `sending`.
    func claimAgain(
        _ numbers: [Int], of run: RunID, on platform: Platform, at time: Date,
        for part: PartBinding
    ) async throws {
        for first in stride(from: 0, to: numbers.count, by: TransactionLimit.rows) {
            let slice = Array(numbers[first...].prefix(TransactionLimit.rows))
            try await write { db in
                let stored = try StoredRun(of: run, db)
                let found = try RunPlatform.find(platform, of: stored, id: run, db)
                // `claimed_at` is for deliveries without a row, and all processes that claim would
                // wait for it.
                try db.execute(
                    """
                    UPDATE deliveries
                    SET state = \(DeliveryState.sending.rawValue), recorded = $4
                    WHERE run = $1 AND platform = $2 AND number = ANY ($3) AND member = $5
                        AND state = \(DeliveryState.waiting.rawValue)
                    """,
                    [
                        stored.key, found.position, slice, StoredTime.milliseconds(time),
                        part.member,
                    ])
            }
        }
    }
}
