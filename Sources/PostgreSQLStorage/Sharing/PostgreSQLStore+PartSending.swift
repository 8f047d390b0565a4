import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

extension PostgreSQLStore {
    /// Claims a page for a part.
    ///
    /// A transaction whose answer was lost may have been committed: the next one finds its page by the number, and then what was
    /// claimed in it is what it returned.
    ///
    /// - Parameters:
    ///   - claim: what is to be claimed.
    ///   - part: for whom.
    /// - Throws: as ``claimNext(_:platform:wave:limit:cap:at:)``.
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
                    try DeliveryRows(
                        skipping: choice.skipped, on: claimed.position, at: claim.time
                    ).write(to: claimed.stored, db)
                }
            }
            page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
        }
        guard !page.claims.isEmpty else {
            // Nothing of it is left to be written down.
            if !page.isEmpty {
                try await write { db in try ClaimedPages.close([serial], of: part, db) }
            }
            return page
        }
        page.id = serial
        return page
    }

    /// Takes deliveries that wait for another try and are nobody's, and returns them.
    ///
    /// - Parameters:
    ///   - part: whose they are from then on.
    ///   - numbers: behind the lower bound, up to and with the upper one.
    ///   - limit: how many at most.
    func adopt(
        _ run: RunID, on platform: Platform, _ numbers: Range<Int>, limit: Int,
        for part: PartBinding
    ) async throws -> [DeliveryClaim] {
        // What a transaction has taken whose answer was lost.
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
                rows = try db.rows(Self.taken, place + [part.member, taken])
            }
            if rows.isEmpty { rows = try db.rows(Self.taking, place + [part.member, limit]) }
            guard !rows.isEmpty else { return [] }
            let numbers = try rows.map { try $0.int(0) }
            latest.withLock { $0 = numbers }
            return try ClaimQuery.fetch(
                Self.adopted,
                [
                    numbers, try rows.map { try $0.int(1) }, try rows.map { try $0.bool(2) },
                ], isDense: false, run: stored, on: platform, keyring: keyring, db)
        }
    }

    /// Each row is found by its number, whatever the server knows of the table's size; the subquery reads a part of an index.
    private static let taking = """
        UPDATE deliveries SET member = $5
        WHERE run = $1 AND platform = $2 AND number = ANY(ARRAY(
            SELECT number FROM deliveries
            WHERE run = $1 AND member IS NULL AND state < 2
                AND state = \(DeliveryState.waiting.rawValue)
                AND platform = $2 AND number > $3 AND number <= $4
            ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED))
        RETURNING number, attempts, is_uncertain
        """

    private static let taken = """
        SELECT number, attempts, is_uncertain FROM deliveries
        WHERE run = $1 AND platform = $2 AND number > $3 AND number <= $4 AND member = $5
            AND number = ANY($6) AND state = \(DeliveryState.waiting.rawValue)
        """

    private static let adopted = """
        SELECT d.number, r.name, r.notification, d.attempts, d.is_uncertain
        FROM unnest($2, $3, $4) AS d (number, attempts, is_uncertain)
        CROSS JOIN LATERAL (
            SELECT name, notification FROM recipients WHERE run = $1 AND number = d.number LIMIT 1
        ) r
        """

    /// Marks deliveries of a part that wait as `sending`; those that are so count as done.
    ///
    /// - Parameters:
    ///   - numbers: which; no more than one transaction writes.
    ///   - part: whose they are.
    func claimAgain(
        _ numbers: [Int], of run: RunID, on platform: Platform, at time: Date,
        for part: PartBinding
    ) async throws {
        try await write { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            // Not `claimed_at`, for which all wait who claim: it is about those without a row.
            try db.execute(
                """
                UPDATE deliveries
                SET state = \(DeliveryState.sending.rawValue), recorded = $4
                WHERE run = $1 AND platform = $2 AND number = ANY ($3) AND member = $5
                    AND state = \(DeliveryState.waiting.rawValue)
                """,
                [
                    stored.key, found.position, numbers, StoredTime.milliseconds(time),
                    part.member,
                ])
        }
    }
}
