package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    /// Claimed deliveries without an outcome, whose interrupted try counts, since it may have been
    /// sent.
    package func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            let source = try ClaimQuery.Source(of: stored, db)
            var claims: [DeliveryClaim] = []
            for cursor in try ClaimedRanges(of: stored, on: found, db).cursors
            where number < cursor.claimed.upperBound && claims.count < limit {
                claims += try ClaimQuery.fetch(
                    Self.interrupted(source),
                    [
                        stored.key, found.position, max(number, cursor.claimed.lowerBound),
                        cursor.claimed.upperBound, DeliveryState.sending.rawValue,
                        limit - claims.count,
                    ],
                    run: stored, on: platform, keyring: keyring, db)
            }
            return claims
        }
    }

    private static func interrupted(_ source: ClaimQuery.Source) -> String {
        """
        SELECT \(source.columns), coalesce(d.attempts, 0) + 1, 1
        FROM recipients r
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = ?2 AND d.number = r.number
        \(source.join)
        WHERE r.run = ?1 AND r.number > ?3 AND r.number <= ?4
            AND (d.state IS NULL OR d.state = ?5)
        ORDER BY r.number LIMIT ?6
        """
    }

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            let source = try ClaimQuery.Source(of: stored, db)
            // `state < 2` lets SQLite use the small index of open deliveries.
            return try ClaimQuery.fetch(
                """
                SELECT \(source.columns), d.attempts, d.is_uncertain
                FROM deliveries d INDEXED BY deliveries_open
                CROSS JOIN recipients r ON r.run = d.run AND r.number = d.number
                \(source.join)
                WHERE d.run = ? AND d.platform = ? AND d.number > ? AND d.number <= ?
                    AND d.state < 2 AND d.state = ?
                ORDER BY d.number LIMIT ?
                """,
                [
                    stored.key, found.position, number, last ?? .max,
                    DeliveryState.waiting.rawValue, limit,
                ],
                run: stored, on: platform, keyring: keyring, db)
        }
    }

    package func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        try await prepareRecording()
        return try await save { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            let cursor = try ClaimCursor.find(wave: wave, of: stored, on: found, id: run, db)
            let candidates = try ClaimQuery.fetch(
                Self.claimable(
                    try ClaimQuery.Source(of: stored, db),
                    but: try Self.notWithheld(of: stored, found, cursor.open, db)),
                [
                    stored.key, cursor.open.lowerBound, cursor.open.upperBound,
                    cap == nil
                        ? limit : ClaimChoice.candidates(for: limit, atMost: Self.transactionRows),
                ],
                run: stored, on: platform, keyring: keyring, db)
            let counts = try cap.map { cap in
                try PushCounts(
                    of: candidates.map(\.username), on: platform, at: stored.hub, besides: stored,
                    since: cap.start(before: time), db)
            }
            let need = try FallbackNeed(of: stored, db)
            let choice = try ClaimChoice(
                candidates, limit: limit, cap: cap, pushes: { counts?[$0] ?? 0 },
                objection: { try need?.objection(to: $0) })
            try Self.skip(choice.skipped, of: stored, platform: found, at: time, db)
            let page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
            guard let last = choice.last else { return page }
            try cursor.advance(
                to: last, of: stored.key, on: found.position, at: StoredTime.milliseconds(time), db)
            return page
        }
    }

    /// The claimable recipients in one range; `withheld` is the condition that skips others.
    static func claimable(_ source: ClaimQuery.Source, but withheld: String) -> String {
        """
        SELECT \(source.columns), 0, 0
        FROM recipients r
        \(source.join)
        WHERE r.run = ? AND r.number > ? AND r.number <= ?
        \(withheld)
        ORDER BY r.number LIMIT ?
        """
    }

    package func unclaimed(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> (people: [Username], last: Int) {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            for open in try ClaimedRanges(of: stored, on: found, db).cursors.map(\.open)
            where number < open.upperBound {
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT r.name, r.number FROM recipients r
                        WHERE r.run = ? AND r.number > ? AND r.number <= ?
                        \(try Self.notWithheld(of: stored, found, open, db))
                        ORDER BY r.number LIMIT ?
                        """,
                    arguments: [
                        stored.key, max(number, open.lowerBound), open.upperBound, limit,
                    ])
                // Names of two waves are not in order.
                guard let last = rows.last else { continue }
                return (rows.map { Username(checked: $0[0]) }, last[1])
            }
            return ([], number)
        }
    }

    package func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int {
        try await read { db in
            let counts = try PushCounts(
                of: people, on: platform, at: hub.description,
                besides: try run.map { try StoredRun(of: $0, db) },
                since: cap.start(before: time), db)
            return people.count { counts[$0] >= cap.pushes }
        }
    }

    /// The condition that skips deliveries withheld by staging; empty if there are none, which is
    /// usual.
    private static func notWithheld(
        of run: StoredRun, _ platform: RunPlatform, _ open: Range<Int>, _ db: Database
    ) throws -> String {
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM deliveries
                WHERE run = ? AND platform = ? AND number > ? AND number <= ? LIMIT 1
                """)
        let isAny = try Row.fetchOne(
            statement, arguments: [run.key, platform.position, open.lowerBound, open.upperBound])
        guard isAny != nil else { return "" }
        return """
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.run = r.run
                AND d.platform = \(platform.position) AND d.number = r.number)
            """
    }

    private static func skip(
        _ skipped: [(claim: DeliveryClaim, reason: String)], of run: StoredRun,
        platform: RunPlatform, at time: Date, _ db: Database
    ) throws {
        guard !skipped.isEmpty else { return }
        var batch = try RowBatch(into: "deliveries", RunDigests.deliveries, db)
        for (claim, reason) in skipped {
            batch.append(run.key)
            batch.append(platform.position)
            batch.append(claim.number)
            batch.append(Outcome.skipped.stored)
            batch.append(0)
            batch.append(0)
            batch.append(StoredTime.milliseconds(time))
            batch.append(reason)
            batch.append(nil as String?)
            try batch.endRow()
        }
        try batch.finish()
        try RunDigests.add(deliveries: batch.digest, to: run.key, db)
    }

    package func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws {
        try await prepareRecording()
        for first in stride(from: 0, to: numbers.count, by: Self.transactionRows) {
            let slice = numbers[first..<min(first + Self.transactionRows, numbers.count)]
            try await save { db in
                try Self.claimAgain(slice, of: run, on: platform, at: time, db)
            }
        }
    }

    private static func claimAgain(
        _ numbers: ArraySlice<Int>, of run: RunID, on platform: Platform, at time: Date,
        _ db: Database
    ) throws {
        let stored = try StoredRun(of: run, db)
        let found = try RunPlatform.find(platform, of: stored, id: run, db)
        let now = StoredTime.milliseconds(time)
        let update = try NativeStatement(
            """
            UPDATE deliveries SET state = \(DeliveryState.sending.rawValue), recorded = ?
            WHERE run = ? AND platform = ? AND number = ?
                AND state = \(DeliveryState.waiting.rawValue)
            RETURNING \(RunDigests.deliveries.joined(separator: ", "))
            """, db)
        let waiting = try DeliveryDigest(of: stored.key, on: found.position, db)
        var change: Int64 = 0
        update.bind(now, at: 1)
        update.bind(stored.key, at: 2)
        update.bind(found.position, at: 3)
        for number in numbers {
            update.bind(number, at: 4)
            let before = try waiting.digest(of: number)
            try update.forEachRow { row in
                change &+= row.digest(Int32(RunDigests.deliveries.count)) &- before
            }
        }
        try RunDigests.add(deliveries: change, to: stored.key, db)
        try db.cachedStatement(
            sql: "UPDATE run_platforms SET claimed_at = ? WHERE run = ? AND position = ?"
        ).execute(arguments: [now, stored.key, found.position])
        try RowSeal.renew(platform: found.position, of: stored.key, db)
    }
}
