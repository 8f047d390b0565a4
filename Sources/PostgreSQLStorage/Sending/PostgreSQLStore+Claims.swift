package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    /// Claimed deliveries without an outcome, whose interrupted try counts, since it may have been
    /// sent.
    package func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        // A part knows its own, and others' remains are settled for it.
        guard part == nil else { return [] }
        return try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            var claims: [DeliveryClaim] = []
            for cursor in try Self.ranges(of: stored, found, db).cursors
            where number < cursor.claimed.upperBound && claims.count < limit {
                let numbers = max(number, cursor.claimed.lowerBound)..<cursor.claimed.upperBound
                claims += try NumberSteps.collect(numbers, limit: limit - claims.count) {
                    step, limit in
                    try ClaimQuery.fetch(
                        Self.interrupted,
                        [found.position, step.lowerBound, step.upperBound, limit],
                        isDense: true, run: stored, on: platform, keyring: keyring, db)
                }
            }
            return claims
        }
    }

    private static let interrupted = """
        SELECT r.number, r.name, r.notification, coalesce(d.attempts, 0) + 1 AS attempts,
            true AS is_uncertain
        FROM recipients r
        \(withDelivery)
        WHERE r.run = $1 AND r.number > $3 AND r.number <= $4
            AND (d.number IS NULL OR d.state = \(DeliveryState.sending.rawValue))
        ORDER BY r.number LIMIT $5
        """

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim] {
        if let part {
            return try await adopt(
                run, on: platform, number..<max(number, last ?? .max), limit: limit, for: part)
        }
        return try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            return try ClaimQuery.fetch(
                Self.waiting, [found.position, number, limit, last ?? .max], isDense: false,
                run: stored, on: platform, keyring: keyring, db)
        }
    }

    /// `state < 2` lets the server use the small index of open deliveries.
    private static let waiting = """
        SELECT d.number, r.name, r.notification, d.attempts, d.is_uncertain
        FROM (
            SELECT number, attempts, is_uncertain FROM deliveries
            WHERE run = $1 AND platform = $2 AND number > $3 AND number <= $5 AND state < 2
                AND state = \(DeliveryState.waiting.rawValue)
            ORDER BY number LIMIT $4
        ) d
        CROSS JOIN LATERAL (
            SELECT name, notification FROM recipients WHERE run = $1 AND number = d.number LIMIT 1
        ) r
        """

    package func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        let claim = PageClaim(
            run: run, platform: platform, wave: wave, limit: limit, cap: cap, time: time,
            keyring: keyring)
        if let part { return try await make(claim, for: part) }
        return try await write { db in try claim.claim(db) }
    }

    /// Those without a row, usually everybody.
    ///
    /// The rows of one step are read once: a lookup for each costs more than reading the people.
    static let unclaimed = """
        FROM recipients r
        WHERE r.run = $1 AND r.number > $3 AND r.number <= $4
            AND r.number NOT IN (
                SELECT number FROM deliveries
                WHERE run = $1 AND platform = $2 AND number > $3 AND number <= $4
            )
        ORDER BY r.number LIMIT $5
        """

    /// Looked up one by one, since the server's statistics of a filling table are outdated.
    static let withDelivery = """
        LEFT JOIN LATERAL (
            SELECT number, state, attempts FROM deliveries
            WHERE run = $1 AND platform = $2 AND number = r.number LIMIT 1
        ) d ON true
        """

    package func unclaimed(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> (people: [Username], last: Int) {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            for open in try Self.ranges(of: stored, found, db).cursors.map(\.open)
            where number < open.upperBound {
                let numbers = max(number, open.lowerBound)..<open.upperBound
                let rows = try NumberSteps.collect(numbers, limit: limit) { step, limit in
                    try db.rows(
                        "SELECT r.name, r.number \(Self.unclaimed)",
                        [stored.key, found.position, step.lowerBound, step.upperBound, limit])
                }
                // Names of two waves are not in order.
                guard let last = rows.last else { continue }
                return (try rows.map { Username(checked: try $0.text(0)) }, try last.int(1))
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

    package func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws {
        let now = StoredTime.milliseconds(time)
        for first in stride(from: 0, to: numbers.count, by: Self.transactionRows) {
            let slice = Array(numbers[first..<min(first + Self.transactionRows, numbers.count)])
            if let part {
                try await claimAgain(slice, of: run, on: platform, at: time, for: part)
                continue
            }
            try await write { db in
                let stored = try StoredRun(of: run, db)
                let found = try RunPlatform.find(platform, of: stored, id: run, db)
                try db.execute(
                    """
                    UPDATE run_platforms SET claimed_at = greatest(claimed_at, $3)
                    WHERE run = $1 AND position = $2
                    """, [stored.key, found.position, now])
                try db.execute(
                    """
                    UPDATE deliveries
                    SET state = \(DeliveryState.sending.rawValue), recorded = $4, member = NULL
                    WHERE run = $1 AND platform = $2 AND number = ANY ($3)
                        AND state = \(DeliveryState.waiting.rawValue)
                    """, [stored.key, found.position, slice, now])
            }
        }
    }

    private static func ranges(
        of run: StoredRun, _ platform: RunPlatform, _ db: PostgreSQLConnection
    ) throws -> ClaimedRanges {
        try ClaimedRanges(
            of: run.key, hasWaves: run.hasWaves, on: platform.position, claimed: platform.claimed,
            last: run.hasWaves ? .max : lastNumber(of: run, db), db)
    }

    /// 0 without recipients.
    static func lastNumber(of run: StoredRun, _ db: PostgreSQLConnection) throws -> Int {
        try db.row("SELECT max(number) FROM recipients WHERE run = $1", [run.key])?
            .optionalInt(0) ?? 0
    }
}
